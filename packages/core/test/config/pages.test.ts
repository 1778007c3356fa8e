/** `pages`: the application's own pages in place of the built-in ones. */
import type { PagesOptions } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { all, one } from "../pages-markup.ts"
import { ask, bareSite, home, post, rightWord, site } from "../support/front-door.ts"

/** Where a GET request of an action leads when one page is the application's own. */
async function led(action: string, pages: Partial<PagesOptions>): Promise<string | null> {
  const answer = await ask(bareSite({ pages }).config, `/auth/${action}`)
  expect(answer.status).toBe(302)
  return answer.headers.get("location")
}

const here = encodeURIComponent(home)

describe("signIn", () => {
  test.each([
    ["/login", `/login?callbackUrl=${here}`],
    ["/login?lang=en", `/login?lang=en&callbackUrl=${here}`],
    ["/login?", `/login?callbackUrl=${here}`],
    ["/login#form", `/login?callbackUrl=${here}#form`],
    ["https://login.example/in", `https://login.example/in?callbackUrl=${here}`],
  ])("%s gets the callback URL", async (signIn, to) => {
    expect(await led("signin", { signIn })).toBe(to)
  })

  test("gets the error", async () => {
    const to = await led("signin?error=CredentialsSignin&callbackUrl=/a", { signIn: "/login" })
    const query = `callbackUrl=${encodeURIComponent(`${home}/a`)}&error=CredentialsSignin`
    expect(to).toBe(`/login?${query}`)
  })

  test("is where a failed sign-in leads", async () => {
    for (const [signIn, to] of [
      ["/login", `${home}/login?`],
      ["/login?lang=en", `${home}/login?lang=en&`],
      ["https://login.example/in", "https://login.example/in?"],
    ] as const) {
      const alice = bareSite({ pages: { signIn } }).visitor()
      const answer = await alice.signIn("credentials", { ...rightWord, word: "wrong" })
      const query = "error=CredentialsSignin&code=credentials"
      expect(answer.headers.get("location")).toBe(to + query)
    }
  })
})

describe("signOut", () => {
  test.each(["/bye", "/bye?lang=en#now", "https://login.example/out"])(
    "%s is led to as it is written",
    async (signOut) => {
      expect(await led("signout?callbackUrl=/a", { signOut })).toBe(signOut)
    },
  )

  test("does not keep a form from signing out", async () => {
    const alice = bareSite({ pages: { signOut: "/bye" } }).visitor()
    await alice.signIn("credentials", rightWord)
    const answer = await alice.signOut({ callbackUrl: "/a" })
    expect(answer.headers.get("location")).toBe(`${home}/a`)
    expect(await alice.session()).toBeNull()
  })
})

describe("error", () => {
  test.each([
    ["/oops", "/oops?error=Verification"],
    ["/oops?lang=en", "/oops?lang=en&error=Verification"],
    ["https://errors.example/", "https://errors.example/?error=Verification"],
  ])("%s gets the error", async (error, to) => {
    expect(await led("error?error=Verification", { error })).toBe(to)
  })

  test.each([
    ["/oops", `${home}/oops?error=Configuration`],
    ["/oops?lang=en", `${home}/oops?lang=en&error=Configuration`],
    ["https://errors.example/", "https://errors.example/?error=Configuration"],
  ])("%s is where what goes wrong leads", async (error, to) => {
    const { config } = bareSite({ pages: { error } })
    const answer = await post(config, "/auth/signin/nobody")
    expect(answer.headers.get("location")).toBe(to)
  })
})

describe("verifyRequest", () => {
  test.each([
    ["/mail", "/mail?provider=email&type=email"],
    ["/mail?lang=en", "/mail?lang=en&provider=email&type=email"],
    ["https://login.example/mail", "https://login.example/mail?provider=email&type=email"],
  ])("%s gets the query", async (verifyRequest, to) => {
    expect(await led("verify-request?provider=email&type=email", { verifyRequest })).toBe(to)
  })

  test("gets no query where there is none", async () => {
    expect(await led("verify-request", { verifyRequest: "/mail" })).toBe("/mail")
  })
})

describe("newUser", () => {
  test.each([
    ["/welcome", `/welcome?callbackUrl=${encodeURIComponent(`${home}/a`)}`],
    ["/welcome?x=1", `/welcome?x=1&callbackUrl=${encodeURIComponent(`${home}/a`)}`],
    ["https://www.example/", `https://www.example/?callbackUrl=${encodeURIComponent(`${home}/a`)}`],
  ])("%s is where a first sign-in leads, and no later one", async (newUser, to) => {
    const { visitor, provider } = await site({ pages: { newUser } })
    const alice = visitor()
    const first = await alice.open(
      provider.approve(await alice.begin(provider, { callbackUrl: "/a" })),
    )
    expect(first.headers.get("location")).toBe(to)
    const second = await alice.signIn(provider)
    expect(second.headers.get("location")).toBe(`${home}/a`)
  })
})

describe("any page", () => {
  const actions = {
    signIn: "signin",
    signOut: "signout",
    error: "error",
    verifyRequest: "verify-request",
  } as const
  const names = Object.keys(actions) as (keyof typeof actions)[]

  test.each(names)("%s may be named in any script", async (name) => {
    const to = await led(actions[name], { [name]: "/größe/エラー?q=ж" })
    expect(new URL(to ?? "", home).pathname).toBe("/gr%C3%B6%C3%9Fe/%E3%82%A8%E3%83%A9%E3%83%BC")
    expect(new URL(to ?? "", home).searchParams.get("q")).toBe("ж")
  })

  test.each(names)("that is written as undefined is built in: %s", async (name) => {
    const pages = { [name]: undefined } as unknown as PagesOptions
    expect((await ask(bareSite({ pages }).config, `/auth/${actions[name]}`)).status).toBe(200)
  })

  test.each(names)("%s leaves the others built in", async (name) => {
    const { config } = bareSite({ pages: { [name]: "/own" } })
    for (const other of names.filter((each) => each !== name)) {
      expect((await ask(config, `/auth/${actions[other]}`)).status).toBe(200)
    }
  })

  test.each([
    "login",
    "",
    "//evil.example",
    "/\\evil.example",
    "https://",
    "javascript:alert(1)",
    "/a\nb",
    "/a b\u0000",
    "ftp://a.b",
  ])("that is no address is a problem of the configuration: %j", async (page) => {
    for (const name of [...names, "newUser"] as const) {
      const { config, log } = bareSite({ pages: { [name]: page } })
      expect((await ask(config, "/auth/session")).status).toBe(500)
      expect(log.lines.flat()).toContainEqual(expect.stringContaining(`\`pages.${name}\``))
    }
  })
})

describe("built-in pages", () => {
  test("show the ways to sign in, in the order of the configuration", async () => {
    const { config } = await site()
    const page = await (await ask(config, "/auth/signin?callbackUrl=/a")).text()
    const submits = all(page, "button", { type: "submit" }).map(({ text }) => text)
    expect(submits).toHaveLength(3)
    expect(submits[0]).toContain("Scripted")
    expect(one(page, "input", { name: "word" }).attributes.get("type")).toBe("password")
    expect(one(page, "input", { name: "email" }).attributes.get("type")).toBe("email")
  })
})
