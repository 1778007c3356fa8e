/** `signIn` of the client with `redirect: false`: what a page is told. */
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"
import { home, passwords, rightWord, type SiteConfig, site } from "../support/front-door.ts"
import { type Pages, pages } from "../support/pages.ts"

const stay = { redirect: false } as const

async function visit(changes: Partial<SiteConfig> = {}) {
  const { app, links, provider } = await site(changes)
  return Object.assign(pages(app), { links, provider })
}

class Locked extends CredentialsSignin {
  override code = "locked"
}

describe("with credentials", () => {
  test("tells who is signed in, and where to go", async () => {
    const page = (await visit()).open()
    const result = await page.signIn("credentials", { ...stay, ...rightWord, redirectTo: "/inbox" })
    expect(result).toMatchObject({
      ok: true,
      kind: "signed-in",
      url: `${home}/inbox`,
      session: { user: { name: "Ada" } },
    })
    expect(result.error).toBeUndefined()
  })

  test("works for any provider of the type, whatever its id", async () => {
    const door = { ...passwords(), id: "front-door" }
    const page = (await visit({ providers: [door] })).open()
    const result = await page.signIn("front-door", { ...stay, ...rightWord })
    expect(result.kind).toBe("signed-in")
  })

  test("tells the code of a refusal", async () => {
    const door = credentials({
      credentials: { name: {} },
      authorize() {
        throw new Locked()
      },
    })
    const { open } = await visit({ providers: [door] })
    expect(await open().signIn("credentials", { ...stay, name: "ada" })).toEqual({
      ok: false,
      kind: "credentials",
      error: "CredentialsSignin",
      code: "locked",
      url: null,
      page: `${home}/auth/signin?error=CredentialsSignin&code=locked`,
    })
    expect(await open().getSession()).toBeNull()
  })

  test("tells a refusal without a code of its own", async () => {
    const page = (await visit()).open()
    const result = await page.signIn("credentials", { ...stay, ...rightWord, word: "wrong" })
    expect(result).toMatchObject({ kind: "credentials", code: "credentials" })
  })

  test("is not confused by a page to go back to that told of an error", async () => {
    const page = (await visit({ pages: { signIn: "/login" } })).open()
    const redirectTo = "/login?error=CredentialsSignin&code=credentials"
    const wrong = await page.signIn("credentials", { ...stay, word: "wrong", redirectTo })
    const right = await page.signIn("credentials", { ...stay, ...rightWord, redirectTo })
    expect(wrong.kind).toBe("credentials")
    expect(right).toMatchObject({ kind: "signed-in", url: home + redirectTo })
  })

  test("says nothing of being signed in when the `signIn` callback leads elsewhere", async () => {
    const page = (await visit({ callbacks: { signIn: () => "/terms?error=unread" } })).open()
    const result = await page.signIn("credentials", { ...stay, ...rightWord })
    expect(result).toEqual({ ok: true, kind: "redirect", url: `${home}/terms?error=unread` })
  })

  test("leaves out what is no value, and sends no options of its own", async () => {
    const asked: unknown[] = []
    const door = credentials({
      credentials: { name: {}, age: {}, kind: {}, photo: {}, nothing: {} },
      authorize(fields) {
        asked.push(fields)
        return null
      },
    })
    const page = (await visit({ providers: [door] })).open()
    const fields = { name: "ada", age: 36, kind: true, photo: new Blob(), nothing: null }
    await page.signIn("credentials", { ...stay, ...fields, redirectTo: "/a", callbackUrl: "/b" })
    const own = { csrfToken: expect.any(String), callbackUrl: "/a" }
    expect(asked).toEqual([{ name: "ada", age: "36", kind: "true", ...own }])
  })
})

describe("with a provider", () => {
  test("tells where it goes on", async () => {
    const { open, provider } = await visit()
    const params = { prompt: "consent", login_hint: "ada@example.com" }
    const result = await open().signIn(provider.id, stay, params)
    expect(result).toMatchObject({ ok: true, kind: "redirect" })
    const url = new URL(result.url ?? "")
    expect(url.origin).toBe(new URL(provider.issuer).origin)
    expect(url.searchParams.get("prompt")).toBe("consent")
    expect(url.searchParams.get("login_hint")).toBe("ada@example.com")
  })

  test.each(["prompt=login", new URLSearchParams({ prompt: "login" })])(
    "takes parameters in every form: %s",
    async (params) => {
      const { open, provider } = await visit()
      const { url } = await open().signIn(provider.id, stay, params)
      expect(new URL(url ?? "").searchParams.get("prompt")).toBe("login")
    },
  )

  test.each([undefined, "", "nobody", "constructor", "__proto__"])(
    "that is none leads to the sign-in page: %j",
    async (id) => {
      const result = await (await visit()).open().signIn(id, { ...stay, redirectTo: "/inbox" })
      const url = `${home}/auth/signin?callbackUrl=%2Finbox`
      expect(result).toEqual({ ok: true, kind: "redirect", url })
    },
  )

  test("asks for the list of providers once", async () => {
    const { open, asked, provider } = await visit()
    const page = open()
    await page.signIn(provider.id, stay)
    await page.signIn("credentials", { ...stay, ...rightWord })
    expect(asked.filter((line) => line.endsWith("/providers"))).toHaveLength(1)
    expect(Object.keys(await page.getProviders())).toEqual(["scripted", "credentials", "email"])
  })
})

test("with a link by e-mail, tells that it was sent", async () => {
  const { open, links } = await visit()
  const result = await open().signIn("email", { ...stay, email: "ada@example.com" })
  expect(result).toMatchObject({ ok: true, kind: "email-sent" })
  expect(links).toHaveLength(1)
})

describe("what goes wrong", () => {
  const signIn = (visited: Pages) => visited.open().signIn("credentials", { ...stay, ...rightWord })

  test("an error that is not the person's doing has its type, and the page that tells of it", async () => {
    const visited = await visit({
      callbacks: {
        jwt() {
          throw new Error("broken")
        },
      },
    })
    expect(await signIn(visited)).toMatchObject({
      ok: false,
      kind: "refused",
      error: "Configuration",
      url: null,
      page: `${home}/auth/error?error=Configuration`,
    })
  })

  test("somebody who is not allowed in", async () => {
    const visited = await visit({ callbacks: { signIn: () => false } })
    expect(await signIn(visited)).toMatchObject({ kind: "refused", error: "AccessDenied" })
  })

  test("too many attempts, by the application's own count", async () => {
    const visited = await visit({ rateLimit: () => false })
    expect(await signIn(visited)).toMatchObject({ kind: "rate-limited", error: "TooManyRequests" })
  })

  test.each([
    ["30", 30],
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    [null, undefined],
  ])(
    "too many requests, counted before the application: retry after %s",
    async (after, seconds) => {
      const visited = await visit()
      const headers: Record<string, string> = after === null ? {} : { "retry-after": after }
      visited.network = () => new Response("slow down", { status: 429, headers })
      expect(await signIn(visited)).toMatchObject({ kind: "rate-limited", retryAfter: seconds })
    },
  )

  test("a network that is down, at every step", async () => {
    for (const step of ["/providers", "/csrf", "/callback/credentials", "/session"]) {
      const visited = await visit()
      visited.network = ({ url }) => {
        if (new URL(url).pathname.endsWith(step)) throw new TypeError("the network is down")
        return undefined
      }
      const result = await signIn(visited)
      expect([step, result.kind, result.error]).toEqual([step, "offline", "Offline"])
    }
  })

  test("a server that is down", async () => {
    const visited = await visit()
    visited.network = () => new Response("<h1>Bad gateway</h1>", { status: 502 })
    expect(await signIn(visited)).toMatchObject({ kind: "unavailable", status: 502, url: null })
  })

  test("a base path that is another one", async () => {
    const { open } = await visit()
    const page = open({ basePath: "/api/auth" })
    expect(await page.signIn("credentials", stay)).toMatchObject({
      kind: "unavailable",
      status: 400,
    })
  })

  test.each([{ url: "javascript:alert(1)" }, { url: 7 }, {}, "/inbox", null])(
    "an answer that leads nowhere a browser may go: %j",
    async (answer) => {
      const visited = await visit()
      visited.network = ({ method }) => (method === "POST" ? Response.json(answer) : undefined)
      expect(await signIn(visited)).toMatchObject({ kind: "unavailable", status: 200 })
    },
  )
})
