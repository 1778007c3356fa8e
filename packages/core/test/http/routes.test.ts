/** Which request reaches which action, and what each answers (protocol 1.1–1.3). */
import { skipCSRFCheck } from "@latchkey/core"
import { cookiesSet } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ask, bareSite, home, leadsTo, post, rightWord, site } from "../support/front-door.ts"

const noStore = { "cache-control": "private, no-cache, no-store", expires: "0", pragma: "no-cache" }
const standing = ["__Host-authjs.csrf-token", "__Secure-authjs.callback-url"]

/** What of an answer the table tells. */
function described(answer: Response) {
  const type = answer.headers.get("content-type")
  return {
    status: answer.status,
    type: type?.split(";")[0] ?? null,
    leadsTo: leadsTo(answer),
    cookies: cookiesSet(answer).sort(),
    stored: answer.headers.get("cache-control") === null,
  }
}

const page = { type: "text/html", leadsTo: null, cookies: standing, stored: false }
const broken = {
  status: 302,
  type: null,
  leadsTo: "/auth/error?error=Configuration",
  cookies: [],
  stored: false,
}

describe("GET", () => {
  const data = { type: "application/json", leadsTo: null, cookies: standing, stored: false }

  test.each([
    ["providers", { ...data, status: 200, cookies: [], stored: true }],
    ["csrf", { ...data, status: 200 }],
    ["session", { ...data, status: 200 }],
    ["signin", { ...page, status: 200 }],
    ["signout", { ...page, status: 200 }],
    ["verify-request", { ...page, status: 200 }],
    ["error", { ...page, status: 200 }],
    ["error?error=Configuration", { ...page, status: 500 }],
    ["error?error=AccessDenied", { ...page, status: 403 }],
    ["error?error=Verification", { ...page, status: 403 }],
    ["error?error=Other", { ...page, status: 200 }],
    ["signin/scripted", broken],
    ["signin/credentials", broken],
    ["callback", broken],
    ["callback/credentials", broken],
    ["callback/scripted", broken],
    ["callback/email", { ...broken, leadsTo: "/auth/error?error=Verification" }],
    ["webauthn-options", broken],
    ["webauthn-options/scripted", broken],
    ["signin/nobody", broken],
    ["callback/nobody", broken],
    ["webauthn-options/nobody", broken],
  ])("%s", async (route, expected) => {
    const { config } = await site()
    expect(described(await ask(config, `/auth/${route}`))).toEqual(expected)
  })

  test("providers tells id, name, type and addresses of each, in the order of the configuration", async () => {
    const { config } = await site()
    const answer = await ask(config, "/auth/providers")
    const list: Record<string, unknown> = await answer.json()
    expect(Object.keys(list)).toEqual(["scripted", "credentials", "email"])
    expect(list["scripted"]).toEqual({
      id: "scripted",
      name: "Scripted",
      type: "oidc",
      signinUrl: `${home}/auth/signin/scripted`,
      callbackUrl: `${home}/auth/callback/scripted`,
    })
    const reversed = { ...config, providers: config.providers.toReversed() }
    const other: object = await (await ask(reversed, "/auth/providers")).json()
    expect(Object.keys(other)).toEqual(["email", "credentials", "scripted"])
  })

  test("34 csrf gives a token of 64 hex digits, which nobody stores", async () => {
    const answer = await ask(bareSite().config, "/auth/csrf")
    expect(await answer.json()).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(Object.fromEntries(answer.headers)).toMatchObject(noStore)
  })

  test("csrf answers 404 and removes its cookie where a framework has a check of its own", async () => {
    const { config, log } = bareSite()
    const answer = await ask({ ...config, skipCSRFCheck }, "/auth/csrf")
    expect([answer.status, await answer.text()]).toEqual([404, ""])
    const [deleted] = answer.headers.getSetCookie().filter((line) => line.includes("csrf"))
    expect(deleted).toMatch(/^__Host-authjs\.csrf-token=; Max-Age=0;/)
    expect(log.warnings).toEqual(["csrf-disabled"])
  })

  test("session is null for nobody, and nobody stores it", async () => {
    const answer = await ask(bareSite().config, "/auth/session")
    expect(await answer.text()).toBe("null")
    expect(Object.fromEntries(answer.headers)).toMatchObject(noStore)
  })

  test("the standing cookies are set once, and again when they are of no use", async () => {
    const alice = bareSite().visitor()
    await alice.open("/auth/signin")
    expect(alice.setCookies).toHaveLength(2)
    for (const route of ["signin", "session", "csrf", "error", "verify-request", "signout"]) {
      await alice.open(`/auth/${route}`)
      expect([route, ...alice.setCookies]).toEqual([route])
    }
    alice.cookies.delete("__Host-authjs.csrf-token")
    await alice.open("/auth/session")
    expect(alice.setCookies).toEqual([expect.stringMatching(/^__Host-authjs\.csrf-token=/)])
  })
})

describe("POST", () => {
  const forged = { ...broken, leadsTo: "/auth/signin?error=MissingCSRF" }

  test.each([
    ["providers", broken],
    ["csrf", broken],
    ["error", broken],
    ["verify-request", broken],
    ["webauthn-options", broken],
    ["signin/nobody", broken],
    ["callback/nobody", broken],
    ["callback", broken],
    ["callback/scripted", broken],
    ["signin", forged],
    ["signin/scripted", forged],
    ["signin/undefined", forged],
    ["signin/credentials", forged],
    ["signin/email", forged],
    ["signout", forged],
    ["callback/credentials", forged],
    ["callback/email", forged],
    [
      "session",
      { status: 400, type: "application/json", leadsTo: null, cookies: [], stored: false },
    ],
  ])("%s without a token", async (route, expected) => {
    const { config } = await site()
    expect(described(await post(config, `/auth/${route}`))).toEqual(expected)
  })

  const gone = { status: 302, type: null, stored: false }

  test.each([
    ["signin", { ...gone, leadsTo: "/auth/signin" }],
    ["signin/undefined", { ...gone, leadsTo: "/auth/signin" }],
    ["signin/credentials", { ...gone, leadsTo: "/auth/signin" }],
    ["signin/email", { ...gone, leadsTo: "/auth/verify-request?provider=email&type=email" }],
    ["signout", { ...gone, leadsTo: home }],
    ["session", { status: 200, type: "application/json", leadsTo: null, stored: false }],
  ])("%s with its token", async (route, expected) => {
    const alice = (await site()).visitor()
    const csrfToken = await alice.csrf()
    const answer = await alice.post(`/auth/${route}`, { csrfToken, email: "ada@example.com" })
    expect(described(answer)).toEqual({ ...expected, cookies: [] })
  })

  test("of a session update without a token answers null", async () => {
    const answer = await post(bareSite().config, "/auth/session")
    expect([answer.status, await answer.text()]).toEqual([400, "null"])
  })

  test("answers with 302, never with a status that repeats the form", async () => {
    const { visitor, provider } = await site()
    const alice = visitor()
    const answers = [
      await alice.signIn("credentials", rightWord),
      await alice.signIn("credentials", { ...rightWord, word: "wrong" }),
      await alice.signIn(provider.id),
      await alice.signOut(),
    ]
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302])
  })
})
