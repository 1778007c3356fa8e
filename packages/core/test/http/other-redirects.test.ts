/** Security cases 12, 13, 15 and 17: links in mails, sign-out, errors, and the application's own pages. */
import nodemailer from "@latchkey/core/providers/nodemailer"
import { type Mailbox, mailbox } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { all, one } from "../pages-markup.ts"
import { callbackCookie } from "../support/callback-doors.ts"
import { ask, bareSite, home, rightWord, site } from "../support/front-door.ts"

const edits = [
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "https://app.example.evil.example",
  "https://app.example@evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://[bad",
]

describe("a link in a mail", () => {
  let post: Mailbox
  beforeAll(async () => {
    post = await mailbox()
  })
  afterAll(() => post.close())

  const mailed = async (confirm: boolean) => {
    const made = await site({ providers: [nodemailer({ server: post.server, confirm })] })
    const alice = made.visitor()
    await alice.signIn("nodemailer", { email: "ada@example.com", callbackUrl: "/inbox" })
    const link = new URL((await post.next()).links[0] ?? "")
    return { ...made, alice, link }
  }

  test("12 leads where it was asked to", async () => {
    const { alice, link } = await mailed(false)
    expect(link.searchParams.get("callbackUrl")).toBe(`${home}/inbox`)
    expect((await alice.open(link)).headers.get("location")).toBe(`${home}/inbox`)
  })

  test.each(edits)("12 stays on the site when its receiver edits it to %s", async (edit) => {
    const { visitor, link } = await mailed(false)
    link.searchParams.set("callbackUrl", edit)
    const bob = visitor()
    const answer = await bob.open(link)
    expect(answer.headers.get("location")).toBe(home)
    expect(decodeURIComponent(bob.cookies.get(callbackCookie)?.value ?? "")).toBe(home)
    expect(await bob.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test.each(edits)("12 stays on the site after the button is pressed: %s", async (edit) => {
    const { visitor, link } = await mailed(true)
    link.searchParams.set("callbackUrl", edit)
    const bob = visitor()
    const page = await (await bob.open(link)).text()
    const action = new URL(one(page, "form").attributes.get("action") ?? "")
    expect(action.origin).toBe(home)
    const csrfToken = one(page, "input", { name: "csrfToken" }).attributes.get("value") ?? ""
    const answer = await bob.post(action, { csrfToken })
    expect(answer.headers.get("location")).toBe(home)
  })
})

describe("sign-out", () => {
  test.each(edits)("13 ends the session and stays on the site: %s", async (callbackUrl) => {
    const { visitor } = bareSite()
    const alice = visitor()
    await alice.signIn("credentials", rightWord)
    const answer = await alice.signOut({ callbackUrl })
    expect([answer.status, answer.headers.get("location")]).toEqual([302, home])
    expect(await alice.session()).toBeNull()
  })

  test.each(edits)(
    "13 has a page whose form and link stay on the site: %s",
    async (callbackUrl) => {
      const { config } = bareSite()
      const query = new URLSearchParams({ callbackUrl })
      const page = await (await ask(config, `/auth/signout?${query}`)).text()
      expect(one(page, "form").attributes.get("action")).toBe(`${home}/auth/signout`)
      expect(all(page, "a").map(({ attributes }) => attributes.get("href"))).toEqual([home])
    },
  )
})

describe("the application's own error page", () => {
  const hostile = [
    "x&admin=1",
    "x#fragment",
    "x\r\nSet-Cookie: a=b",
    "x y+z%20",
    "//evil.example",
    "AccessDenied&error=Configuration",
    "é😀\u0000",
  ]

  test.each(["/oops", "/oops?theme=dark", "https://errors.example/oops?x=1"])(
    "15 gets the error as one encoded parameter: %s",
    async (page) => {
      const { config } = bareSite({ pages: { error: page } })
      const own = new URL(page, home)
      for (const error of hostile) {
        const answer = await ask(config, `/auth/error?${new URLSearchParams({ error })}`)
        expect(answer.status).toBe(302)
        const to = new URL(answer.headers.get("location") ?? "", home)
        expect([to.origin, to.pathname, to.hash]).toEqual([own.origin, own.pathname, ""])
        const expected = [...own.searchParams, ["error", error]]
        expect([...to.searchParams]).toEqual(expected)
      }
    },
  )

  test("15 is not told of an error when there is none", async () => {
    const { config } = bareSite({ pages: { error: "/oops" } })
    expect((await ask(config, "/auth/error")).headers.get("location")).toBe("/oops")
  })

  test("15 the sign-in page gets error, code and callback URL as one encoded parameter each", async () => {
    const { config } = bareSite({ pages: { signIn: "/login?lang=en#form" } })
    for (const text of hostile) {
      const query = new URLSearchParams({ error: text, code: text, callbackUrl: "/a?b=c&d#e" })
      const answer = await ask(config, `/auth/signin?${query}`)
      const to = new URL(answer.headers.get("location") ?? "", home)
      expect([to.pathname, to.hash]).toEqual(["/login", "#form"])
      expect([...to.searchParams].sort()).toEqual([
        ["callbackUrl", `${home}/a?b=c&d#e`],
        ["code", text],
        ["error", text],
        ["lang", "en"],
      ])
    }
  })
})

describe("the application's own pages on another site", () => {
  const pages = {
    signIn: "https://login.example/in",
    signOut: "https://login.example/out",
    error: "https://login.example/oops",
    verifyRequest: "https://login.example/mail",
    newUser: "https://login.example/welcome",
  }

  test.each([
    ["signin", "/in"],
    ["signout", "/out"],
    ["error", "/oops"],
    ["verify-request", "/mail"],
  ])("17 %s leads there, because the developer wrote it", async (action, path) => {
    const { config } = bareSite({ pages })
    const answer = await ask(config, `/auth/${action}`)
    const to = new URL(answer.headers.get("location") ?? "")
    expect([answer.status, to.origin, to.pathname]).toEqual([302, "https://login.example", path])
  })

  test("17 a new person is sent there", async () => {
    const { visitor, provider } = await site({ pages })
    const alice = visitor()
    const first = await alice.signIn(provider)
    const welcome = `https://login.example/welcome?callbackUrl=${encodeURIComponent(home)}`
    expect(first.headers.get("location")).toBe(welcome)
    expect((await alice.signIn(provider)).headers.get("location")).toBe(home)
  })

  test("17 a failed sign-in leads there", async () => {
    const { visitor } = bareSite({ pages })
    const answer = await visitor().signIn("credentials", { ...rightWord, word: "open" })
    const query = "error=CredentialsSignin&code=credentials"
    expect(answer.headers.get("location")).toBe(`https://login.example/in?${query}`)
  })

  test.each(["signin", "signout", "error", "verify-request"])(
    "17 no request can name a page: %s",
    async (action) => {
      const { config } = bareSite()
      const names = ["pages", "pages.signIn", "signIn", "page", "redirectTo", "url", "next"]
      const query = new URLSearchParams(names.map((name) => [name, "https://evil.example"]))
      const answer = await ask(config, `/auth/${action}?${query}`)
      expect(answer.headers.get("location")).toBeNull()
      expect(await answer.text()).not.toContain("evil.example")
    },
  )
})
