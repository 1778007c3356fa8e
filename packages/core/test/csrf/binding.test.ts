import { createHash } from "node:crypto"
import {
  assertRefused,
  createScriptedProvider,
  getRedirectError,
  type TestBrowser,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  password,
  secret,
  signInWithPassword,
} from "../support/password-app.ts"

const csrfCookieName = "__Host-authjs.csrf-token"
const token = "a".repeat(64)

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

function plantPair(browser: TestBrowser, pair: string): void {
  browser.cookies.delete(csrfCookieName)
  browser.cookies.setUnchecked(
    browser.origin,
    `${csrfCookieName}=${encodeURIComponent(pair)}; Path=/; Secure; HttpOnly`,
  )
}

const forms = {
  signIn: (browser: TestBrowser, csrfToken: string) =>
    browser.post("/auth/callback/credentials", { csrfToken, name: "ada", password }),
  signOut: (browser: TestBrowser, csrfToken: string) =>
    browser.post("/auth/signout", { csrfToken }),
  update: (browser: TestBrowser, csrfToken: string) =>
    browser.post("/auth/session", { csrfToken, data: "new" }),
}

const isRefused = (response: Response) =>
  response.status === 400 || getRedirectError(response) === "MissingCSRF"

const strategies: [
  string,
  (changes?: Partial<PasswordAppConfig>) => Promise<ReturnType<typeof createPasswordApp>>,
][] = [
  ["jwt", async (changes) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
]

describe.each(strategies)("binding of CSRF tokens to the session, strategy %s", (_, open) => {
  test("a token from before the sign-in does not authorize requests of the signed-in user", async () => {
    const alice = (await open()).openBrowser()
    const before = await alice.getCsrfToken()
    await signInWithPassword(alice, "ada")
    expect(alice.cookies.get(csrfCookieName)?.value).toContain(before)
    expect(isRefused(await forms.signOut(alice, before))).toBe(true)
    expect(isRefused(await forms.update(alice, before))).toBe(true)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("a token from before the sign-in remains valid for signing in, in another tab", async () => {
    const alice = (await open()).openBrowser()
    const before = await alice.getCsrfToken()
    await signInWithPassword(alice, "bob")
    expect(isRefused(await forms.signIn(alice, before))).toBe(false)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("a token requested while signed in authorizes requests, and signing in", async () => {
    const alice = await (await open()).openSignedInBrowser()
    const pair = await alice.getCsrfToken()
    expect(isRefused(await forms.update(alice, pair))).toBe(false)
    expect(isRefused(await forms.signIn(alice, pair))).toBe(false)
    expect(isRefused(await forms.signOut(alice, await alice.getCsrfToken()))).toBe(false)
    expect(await alice.getSession()).toBeNull()
  })

  test("a token of one user does not authorize requests of the next one in the same browser", async () => {
    const alice = await (await open()).openSignedInBrowser("bob")
    const bobs = await alice.getCsrfToken()
    const stolen = alice.cookies.get(csrfCookieName)
    await signInWithPassword(alice, "ada")
    alice.cookies.setUnchecked(alice.origin, stolen?.raw ?? "")
    expect(isRefused(await forms.signOut(alice, bobs))).toBe(true)
    expect(isRefused(await forms.update(alice, bobs))).toBe(true)
  })

  test("the sign-in page of a first visit has a token that signs in", async () => {
    const alice = (await open()).openBrowser()
    const page = await (await alice.open("/auth/signin")).text()
    const [, shown = ""] = /name="csrfToken" value="([0-9a-f]{64})"/.exec(page) ?? []
    expect(alice.setCookieHeaders.filter((line) => line.startsWith(csrfCookieName))).toHaveLength(1)
    expect(isRefused(await forms.signIn(alice, shown))).toBe(false)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("the sign-out page has a token that signs out", async () => {
    const alice = (await open()).openBrowser()
    await alice.getCsrfToken()
    await signInWithPassword(alice, "ada")
    const page = await (await alice.open("/auth/signout")).text()
    const [, shown = ""] = /name="csrfToken" value="([0-9a-f]{64})"/.exec(page) ?? []
    expect(isRefused(await forms.signOut(alice, shown))).toBe(false)
    expect(await alice.getSession()).toBeNull()
  })

  test("a form that was open during a sign-out in another tab remains valid", async () => {
    const alice = await (await open()).openSignedInBrowser()
    const csrfToken = await alice.getCsrfToken()
    await alice.signOut()
    expect(isRefused(await forms.signOut(alice, csrfToken))).toBe(false)
    expect(isRefused(await forms.signIn(alice, csrfToken))).toBe(false)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("a token requested with an expired session cookie signs in after that cookie was deleted", async () => {
    const alice = (await open()).openBrowser()
    const name = "__Secure-authjs.session-token"
    alice.cookies.setUnchecked(alice.origin, `${name}=${"dead".repeat(10)}; Path=/; Secure`)
    const pair = await alice.getCsrfToken()
    expect(await alice.getSession()).toBeNull()
    expect(alice.cookies.has(name)).toBe(false)
    expect(isRefused(await forms.signIn(alice, pair))).toBe(false)
  })
})

test("a form remains valid when the session was ended elsewhere, beside a cookie of a sub-domain", async () => {
  const app = await createStoredPasswordApp()
  const alice = await app.openSignedInBrowser()
  const name = "__Secure-authjs.session-token"
  const sessionToken = alice.cookies.get(name)?.value ?? ""
  alice.cookies.setUnchecked(alice.origin, `${name}=planted; Domain=app.example; Path=/; Secure`)
  const csrfToken = await alice.getCsrfToken()
  await app.adapter.deleteSession(sessionToken)
  expect(isRefused(await forms.signOut(alice, csrfToken))).toBe(false)
})

describe("a forged CSRF cookie", () => {
  const other = "fedcba9876543210fedcba9876543210"
  const hmac = (key: string) => createHash("sha256").update(key).update(token).digest("hex")
  const forged: [string, string][] = [
    ["without a secret", `${token}|${sha256(token)}`],
    ["with a wrong hash", `${token}|${"b".repeat(64)}`],
    ["with another secret, in the old format", `${token}|${sha256(token + other)}`],
    ["with the secret in front", `${token}|${hmac(secret)}`],
    ["with an empty secret list", `${token}|${sha256(`${token},`)}`],
    [
      "in the old format, with half a hash",
      `${token}|${sha256(token + secret).slice(0, 32)}${"0".repeat(32)}`,
    ],
    ["with a longer token", `${token}a|${sha256(`${token}a${secret}`)}`],
    [
      "with a token that is not hexadecimal",
      `${"g".repeat(64)}|${sha256("g".repeat(64) + secret)}`,
    ],
  ]

  test.each(forged)("%s is refused", async (_, pair) => {
    const app = createPasswordApp()
    const alice = app.openBrowser()
    plantPair(alice, pair)
    assertRefused(await forms.signIn(alice, pair.slice(0, pair.indexOf("|"))))
    expect(app.authorizeCalls).toEqual([])
    // And it is replaced, so that the next form works.
    const fresh = await alice.getCsrfToken()
    expect(pair).not.toContain(fresh)
    expect(isRefused(await forms.signIn(alice, fresh))).toBe(false)
  })

  test("of a deployment with another secret is refused", async () => {
    const elsewhere = createPasswordApp({ secret: other }).openBrowser()
    const csrfToken = await elsewhere.getCsrfToken()
    const alice = createPasswordApp().openBrowser()
    alice.cookies.setUnchecked(alice.origin, elsewhere.cookies.get(csrfCookieName)?.raw ?? "")
    assertRefused(await forms.signIn(alice, csrfToken))
  })

  test("made by changing one character of a valid one neither signs in nor authorizes requests", async () => {
    const alice = await createPasswordApp().openSignedInBrowser()
    const csrfToken = await alice.getCsrfToken()
    const pair = decodeURIComponent(alice.cookies.get(csrfCookieName)?.value ?? "")
    for (let i = 65; i < pair.length; i++) {
      const flipped = pair.charAt(i) === "0" ? "1" : "0"
      plantPair(alice, pair.slice(0, i) + flipped + pair.slice(i + 1))
      // The first half is for signing in, the second one for the session.
      if (i < 97) expect(isRefused(await forms.signIn(alice, csrfToken))).toBe(true)
      expect(isRefused(await forms.signOut(alice, csrfToken))).toBe(true)
    }
    plantPair(alice, pair)
    expect(isRefused(await forms.signOut(alice, csrfToken))).toBe(false)
  })

  test("made from the halves of two valid ones does not authorize requests", async () => {
    const app = createPasswordApp()
    const halves = async (browser: TestBrowser) => {
      const csrfToken = await browser.getCsrfToken()
      const hash = decodeURIComponent(browser.cookies.get(csrfCookieName)?.value ?? "").slice(65)
      return { csrfToken, own: hash.slice(0, 32), bound: hash.slice(32) }
    }
    const alice = await app.openSignedInBrowser("ada")
    const hers = await halves(alice)
    const theirs = await halves(await app.openSignedInBrowser("mallory"))
    plantPair(alice, `${theirs.csrfToken}|${theirs.own}${hers.bound}`)
    expect(isRefused(await forms.signOut(alice, theirs.csrfToken))).toBe(true)
    plantPair(alice, `${hers.csrfToken}|${hers.own}${hers.own}`)
    expect(isRefused(await forms.signOut(alice, hers.csrfToken))).toBe(true)
  })
})

describe("a CSRF cookie in the format of protocol 2.2", () => {
  const old = "fedcba9876543210fedcba9876543210"
  const cases: [string, string | string[], string][] = [
    ["the secret", secret, sha256(token + secret)],
    ["the first secret", [secret, old], sha256(token + secret)],
    ["an older secret", [secret, old], sha256(token + old)],
    ["all secrets, joined", [secret, old], sha256(`${token}${secret},${old}`)],
  ]

  test.each(cases)("made with %s signs in", async (_, secrets, hash) => {
    const alice = createPasswordApp({ secret: secrets }).openBrowser()
    plantPair(alice, `${token}|${hash}`)
    expect(await (await alice.open("/auth/signin")).text()).toContain(token)
    expect(isRefused(await forms.signIn(alice, token))).toBe(false)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test.each(cases)("made with %s starts a sign-in with a provider", async (_, secrets, hash) => {
    const provider = await createScriptedProvider()
    const alice = createPasswordApp({
      secret: secrets,
      providers: [provider.asOidc()],
    }).openBrowser()
    plantPair(alice, `${token}|${hash}`)
    const response = await alice.post("/auth/signin/scripted", { csrfToken: token })
    expect(new URL(response.headers.get("location") ?? "").origin).toBe("https://idp.example")
  })

  test("does not authorize requests of a signed-in user", async () => {
    const alice = await createPasswordApp().openSignedInBrowser()
    plantPair(alice, `${token}|${sha256(token + secret)}`)
    expect(isRefused(await forms.signOut(alice, token))).toBe(true)
    expect(isRefused(await forms.update(alice, token))).toBe(true)
  })

  test("is not in the format of this library", async () => {
    const alice = createPasswordApp().openBrowser()
    const made = await alice.getCsrfToken()
    const pair = decodeURIComponent(alice.cookies.get(csrfCookieName)?.value ?? "")
    expect(pair).toMatch(/^[0-9a-f]{64}\|[0-9a-f]{64}$/)
    expect(pair).not.toContain(sha256(made + secret))
  })
})

test("a token remains valid after a rotation of the secret", async () => {
  const older = createPasswordApp().openBrowser()
  const csrfToken = await older.getCsrfToken()
  const alice = createPasswordApp({
    secret: ["fedcba9876543210fedcba9876543210", secret],
  }).openBrowser()
  alice.cookies.setUnchecked(alice.origin, older.cookies.get(csrfCookieName)?.raw ?? "")
  expect(await alice.getCsrfToken()).toBe(csrfToken)
  expect(isRefused(await forms.signIn(alice, csrfToken))).toBe(false)
})
