import { createHash } from "node:crypto"
import { assertRefused, type Browser, errorOf, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type Config, password, people, secret, signIn, storedPeople } from "../support/people.ts"

const cookie = "__Host-authjs.csrf-token"
const token = "a".repeat(64)

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

function plant(who: Browser, pair: string): void {
  who.cookies.delete(cookie)
  who.cookies.plant(who.origin, `${cookie}=${encodeURIComponent(pair)}; Path=/; Secure; HttpOnly`)
}

const forms = {
  signIn: (who: Browser, csrfToken: string) =>
    who.post("/auth/callback/credentials", { csrfToken, name: "ada", password }),
  signOut: (who: Browser, csrfToken: string) => who.post("/auth/signout", { csrfToken }),
  update: (who: Browser, csrfToken: string) =>
    who.post("/auth/session", { csrfToken, data: "new" }),
}

const isRefused = (answer: Response) => answer.status === 400 || errorOf(answer) === "MissingCSRF"

const strategies: [string, (changes?: Partial<Config>) => Promise<ReturnType<typeof people>>][] = [
  ["jwt", async (changes) => people(changes)],
  ["database", storedPeople],
]

describe.each(strategies)("binding to the session, strategy %s", (_, open) => {
  test("30 a pair made before sign-in does not act for who signed in", async () => {
    const alice = (await open()).browser()
    const before = await alice.csrf()
    await signIn(alice, "ada")
    expect(alice.cookies.get(cookie)?.value).toContain(before)
    expect(isRefused(await forms.signOut(alice, before))).toBe(true)
    expect(isRefused(await forms.update(alice, before))).toBe(true)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("30 a pair made before sign-in is still good for signing in, in another tab", async () => {
    const alice = (await open()).browser()
    const before = await alice.csrf()
    await signIn(alice, "bob")
    expect(isRefused(await forms.signIn(alice, before))).toBe(false)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("30 a pair asked for while signed in acts, and signs in", async () => {
    const alice = await (await open()).signedIn()
    const pair = await alice.csrf()
    expect(isRefused(await forms.update(alice, pair))).toBe(false)
    expect(isRefused(await forms.signIn(alice, pair))).toBe(false)
    expect(isRefused(await forms.signOut(alice, await alice.csrf()))).toBe(false)
    expect(await alice.session()).toBeNull()
  })

  test("30 a pair of one person does not act for the next one in the same browser", async () => {
    const alice = await (await open()).signedIn("bob")
    const bobs = await alice.csrf()
    const stolen = alice.cookies.get(cookie)
    await signIn(alice, "ada")
    alice.cookies.plant(alice.origin, stolen?.raw ?? "")
    expect(isRefused(await forms.signOut(alice, bobs))).toBe(true)
    expect(isRefused(await forms.update(alice, bobs))).toBe(true)
  })

  test("the sign-in page of a first visit has a pair that signs in", async () => {
    const alice = (await open()).browser()
    const page = await (await alice.open("/auth/signin")).text()
    const [, shown = ""] = /name="csrfToken" value="([0-9a-f]{64})"/.exec(page) ?? []
    expect(alice.setCookies.filter((line) => line.startsWith(cookie))).toHaveLength(1)
    expect(isRefused(await forms.signIn(alice, shown))).toBe(false)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("30 the sign-out page has a pair that signs out", async () => {
    const alice = (await open()).browser()
    await alice.csrf()
    await signIn(alice, "ada")
    const page = await (await alice.open("/auth/signout")).text()
    const [, shown = ""] = /name="csrfToken" value="([0-9a-f]{64})"/.exec(page) ?? []
    expect(isRefused(await forms.signOut(alice, shown))).toBe(false)
    expect(await alice.session()).toBeNull()
  })

  test("a form that was open while somebody signed out elsewhere is still good", async () => {
    const alice = await (await open()).signedIn()
    const csrfToken = await alice.csrf()
    await alice.signOut()
    expect(isRefused(await forms.signOut(alice, csrfToken))).toBe(false)
    expect(isRefused(await forms.signIn(alice, csrfToken))).toBe(false)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("a pair asked for beside a dead session cookie signs in after that cookie is gone", async () => {
    const alice = (await open()).browser()
    const name = "__Secure-authjs.session-token"
    alice.cookies.plant(alice.origin, `${name}=${"dead".repeat(10)}; Path=/; Secure`)
    const pair = await alice.csrf()
    expect(await alice.session()).toBeNull()
    expect(alice.cookies.has(name)).toBe(false)
    expect(isRefused(await forms.signIn(alice, pair))).toBe(false)
  })
})

describe("29 a pair that was forged", () => {
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
    ["with a token that is no hex", `${"g".repeat(64)}|${sha256("g".repeat(64) + secret)}`],
  ]

  test.each(forged)("%s is refused", async (_, pair) => {
    const app = people()
    const alice = app.browser()
    plant(alice, pair)
    assertRefused(await forms.signIn(alice, pair.slice(0, pair.indexOf("|"))))
    expect(app.attempts).toEqual([])
    // And it is replaced, so that the next form works.
    const fresh = await alice.csrf()
    expect(pair).not.toContain(fresh)
    expect(isRefused(await forms.signIn(alice, fresh))).toBe(false)
  })

  test("of a deployment with another secret is refused", async () => {
    const elsewhere = people({ secret: other }).browser()
    const csrfToken = await elsewhere.csrf()
    const alice = people().browser()
    alice.cookies.plant(alice.origin, elsewhere.cookies.get(cookie)?.raw ?? "")
    assertRefused(await forms.signIn(alice, csrfToken))
  })

  test("by changing a character of a genuine one neither signs in nor acts", async () => {
    const alice = await people().signedIn()
    const csrfToken = await alice.csrf()
    const pair = decodeURIComponent(alice.cookies.get(cookie)?.value ?? "")
    for (let i = 65; i < pair.length; i++) {
      const flipped = pair.charAt(i) === "0" ? "1" : "0"
      plant(alice, pair.slice(0, i) + flipped + pair.slice(i + 1))
      // The first half is for signing in, the second one for the session.
      if (i < 97) expect(isRefused(await forms.signIn(alice, csrfToken))).toBe(true)
      expect(isRefused(await forms.signOut(alice, csrfToken))).toBe(true)
    }
    plant(alice, pair)
    expect(isRefused(await forms.signOut(alice, csrfToken))).toBe(false)
  })

  test("from the halves of two genuine ones does not act", async () => {
    const app = people()
    const halves = async (who: Browser) => {
      const csrfToken = await who.csrf()
      const hash = decodeURIComponent(who.cookies.get(cookie)?.value ?? "").slice(65)
      return { csrfToken, own: hash.slice(0, 32), bound: hash.slice(32) }
    }
    const alice = await app.signedIn("ada")
    const hers = await halves(alice)
    const theirs = await halves(await app.signedIn("mallory"))
    plant(alice, `${theirs.csrfToken}|${theirs.own}${hers.bound}`)
    expect(isRefused(await forms.signOut(alice, theirs.csrfToken))).toBe(true)
    plant(alice, `${hers.csrfToken}|${hers.own}${hers.own}`)
    expect(isRefused(await forms.signOut(alice, hers.csrfToken))).toBe(true)
  })
})

describe("a pair in the format of protocol 2.2", () => {
  const old = "fedcba9876543210fedcba9876543210"
  const cases: [string, string | string[], string][] = [
    ["the secret", secret, sha256(token + secret)],
    ["the first secret", [secret, old], sha256(token + secret)],
    ["an older secret", [secret, old], sha256(token + old)],
    ["all secrets, joined", [secret, old], sha256(`${token}${secret},${old}`)],
  ]

  test.each(cases)("made with %s signs in", async (_, secrets, hash) => {
    const alice = people({ secret: secrets }).browser()
    plant(alice, `${token}|${hash}`)
    expect(await (await alice.open("/auth/signin")).text()).toContain(token)
    expect(isRefused(await forms.signIn(alice, token))).toBe(false)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test.each(cases)("made with %s begins a sign-in with a provider", async (_, secrets, hash) => {
    const provider = await scriptedProvider()
    const alice = people({ secret: secrets, providers: [provider.asOidc()] }).browser()
    plant(alice, `${token}|${hash}`)
    const answer = await alice.post("/auth/signin/scripted", { csrfToken: token })
    expect(new URL(answer.headers.get("location") ?? "").origin).toBe("https://idp.example")
  })

  test("does not act for who is signed in", async () => {
    const alice = await people().signedIn()
    plant(alice, `${token}|${sha256(token + secret)}`)
    expect(isRefused(await forms.signOut(alice, token))).toBe(true)
    expect(isRefused(await forms.update(alice, token))).toBe(true)
  })

  test("is not what this library makes", async () => {
    const alice = people().browser()
    const made = await alice.csrf()
    const pair = decodeURIComponent(alice.cookies.get(cookie)?.value ?? "")
    expect(pair).toMatch(/^[0-9a-f]{64}\|[0-9a-f]{64}$/)
    expect(pair).not.toContain(sha256(made + secret))
  })
})

test("a pair survives the rotation of the secret", async () => {
  const older = people().browser()
  const csrfToken = await older.csrf()
  const alice = people({ secret: ["fedcba9876543210fedcba9876543210", secret] }).browser()
  alice.cookies.plant(alice.origin, older.cookies.get(cookie)?.raw ?? "")
  expect(await alice.csrf()).toBe(csrfToken)
  expect(isRefused(await forms.signIn(alice, csrfToken))).toBe(false)
})
