import { CompactEncrypt, generateKeyPair, SignJWT, UnsecuredJWT } from "jose"
import { afterEach, describe, expect, test, vi } from "vitest"
import {
  createClaims,
  deriveSessionKey,
  encryptToken,
  sessionCookieName,
} from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  type PasswordApp,
  readSessionCookie,
  secret,
} from "../support/password-app.ts"

const encodeText = (text: string) => new TextEncoder().encode(text)

/** Sends a token to the session endpoint; returns the response and the deleted cookies. */
async function fetchSession(app: PasswordApp, token: string) {
  const headers = { cookie: `${sessionCookieName}=${encodeURIComponent(token)}` }
  const response = await app.handle(new Request("https://app.example/auth/session", { headers }))
  const deleted = response.headers
    .getSetCookie()
    .filter((line) => line.startsWith(`${sessionCookieName}=;`) && line.includes("Max-Age=0"))
  return { status: response.status, session: await response.json(), deleted: deleted.length }
}

const refusedResponse = { status: 200, session: null, deleted: 1 }

async function expectRefused(token: string, app: PasswordApp = createPasswordApp()): Promise<void> {
  expect(await fetchSession(app, token)).toEqual(refusedResponse)
  expect(app.errorCodes).toEqual(["JWTSessionError"])
}

/** Whether only the name of the key in the header of a token differs. */
function namesOtherKey(altered: string, token: string): boolean {
  const readHeader = (each: string): unknown => {
    try {
      return JSON.parse(Buffer.from(each.split(".")[0] ?? "", "base64url").toString())
    } catch {
      return undefined
    }
  }
  const [before, after] = [readHeader(token), readHeader(altered)].map(
    (header) => Object(header) as Record<string, unknown>,
  )
  return (
    typeof after?.["kid"] === "string" &&
    after["kid"] !== before?.["kid"] &&
    JSON.stringify({ ...after, kid: "" }) === JSON.stringify({ ...before, kid: "" })
  )
}

test("a handmade token in the format is a session: the tokens below fail only for their own reason", async () => {
  const { status, session } = await fetchSession(createPasswordApp(), encryptToken(createClaims()))
  expect([status, session]).toMatchObject([200, { user: { name: "mallory" } }])
})

describe("an altered token", () => {
  test("is invalid whichever character was changed, and its cookie is deleted", async () => {
    const app = createPasswordApp()
    const token = readSessionCookie(await app.openSignedInBrowser())
    const sample = [...token].flatMap((character, index) =>
      index % 3 === 0 ? [[character, index] as const] : [],
    )
    for (const [character, index] of sample) {
      const other = character === "." ? "A" : character === "A" ? "B" : "A"
      const altered = token.slice(0, index) + other + token.slice(index + 1)
      const { deleted, ...response } = await fetchSession(app, altered)
      expect(response).toEqual({ status: 200, session: null })
      // With another name of its key, it may be the session of another application.
      expect(deleted).toBe(namesOtherKey(altered, token) ? 0 : 1)
    }
  })

  test("is invalid with a missing, empty, additional or exchanged part", async () => {
    const app = createPasswordApp()
    const token = readSessionCookie(await app.openSignedInBrowser())
    const other = readSessionCookie(await app.openSignedInBrowser("bob")).split(".")
    const parts = token.split(".")
    const altered = [
      ...parts.map((_, i) => parts.filter((_, j) => j !== i).join(".")),
      ...parts.flatMap((part, i) => (part ? [parts.with(i, "").join(".")] : [])),
      ...other.flatMap((part, i) => (part && i > 1 ? [parts.with(i, part).join(".")] : [])),
      parts.with(1, "AAAA").join("."),
      `${token}.`,
      `${token}.x`,
      `.${token}`,
      `${token}=`,
      token.toUpperCase(),
      token.slice(0, -1),
      `${token}A`,
      parts.slice(0, 3).join("."),
      "....",
      ".",
      "x",
      "null",
      "undefined",
    ]
    for (const each of altered) expect(await fetchSession(app, each)).toEqual(refusedResponse)
  })

  test("is invalid if unused bits of its last characters differ", async () => {
    const app = createPasswordApp()
    const parts = readSessionCookie(await app.openSignedInBrowser()).split(".")
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (const i of [2, 4]) {
      const part = parts[i] ?? ""
      const next = alphabet.charAt(alphabet.indexOf(part.at(-1) ?? "") + 1)
      const twin = part.slice(0, -1) + next
      expect(Buffer.from(twin, "base64url")).toEqual(Buffer.from(part, "base64url"))
      expect(await fetchSession(app, parts.with(i, twin).join("."))).toEqual(refusedResponse)
    }
  })
})

describe("a JWT that is not encrypted", () => {
  test("is invalid without a signature", async () => {
    await expectRefused(new UnsecuredJWT(createClaims()).encode())
    const header = Buffer.from('{"alg":"none"}').toString("base64url")
    const body = Buffer.from(JSON.stringify(createClaims())).toString("base64url")
    await expectRefused(`${header}..${body}.${body}.`)
    await expectRefused(`${header}.${body}.`)
  })

  test.each(["HS256", "HS512"])("is invalid if it is signed with the secret (%s)", async (alg) => {
    for (const key of [encodeText(secret), deriveSessionKey()]) {
      const token = await new SignJWT(createClaims()).setProtectedHeader({ alg }).sign(key)
      await expectRefused(token)
    }
  })
})

describe("a token encrypted with another key", () => {
  const keys: [string, Uint8Array][] = [
    ["the raw secret", encodeText(secret.repeat(2))],
    ["the zero key", new Uint8Array(64)],
    ["a foreign secret", deriveSessionKey("fedcba9876543210fedcba9876543210")],
    ["the key of another cookie", deriveSessionKey(secret, "authjs.session-token")],
    ["the key for an empty cookie name", deriveSessionKey(secret, "")],
  ]
  test.each(keys)("(%s) is invalid", (_, key) => expectRefused(encryptToken(createClaims(), key)))

  test("of 32 bytes (A256GCM) is invalid", async () => {
    for (const key of [encodeText(secret), new Uint8Array(32)]) {
      const header = { alg: "dir", enc: "A256GCM" }
      const text = encodeText(JSON.stringify(createClaims()))
      await expectRefused(await new CompactEncrypt(text).setProtectedHeader(header).encrypt(key))
    }
  })
})

describe("another algorithm than the configured one", () => {
  test("PBES2 with a huge iteration count costs nothing", async () => {
    const header = { alg: "PBES2-HS512+A256KW", enc: "A256CBC-HS512", p2c: 2 ** 31, p2s: "c2FsdA" }
    await expectRefused(encryptToken(createClaims(), deriveSessionKey(), header))
    const parts = encryptToken(createClaims(), deriveSessionKey(), header).split(".")
    await expectRefused(parts.with(1, "AAAA").join("."))
  })

  test("RSA-OAEP with the attacker's key is invalid", async () => {
    const { publicKey } = await generateKeyPair("RSA-OAEP-256")
    const header = { alg: "RSA-OAEP-256", enc: "A256CBC-HS512" }
    const text = encodeText(JSON.stringify(createClaims()))
    await expectRefused(
      await new CompactEncrypt(text).setProtectedHeader(header).encrypt(publicKey),
    )
  })

  const headers: [string, object | string][] = [
    ["`alg` A256KW", { alg: "A256KW", enc: "A256CBC-HS512" }],
    ["`alg` in another case", { alg: "DIR", enc: "A256CBC-HS512" }],
    ["`alg` as an array", { alg: ["dir"], enc: "A256CBC-HS512" }],
    ["no `alg`", { enc: "A256CBC-HS512" }],
    ["`enc` A128CBC-HS256", { alg: "dir", enc: "A128CBC-HS256" }],
    ["`enc` A256GCM over CBC", { alg: "dir", enc: "A256GCM" }],
    ["no `enc`", { alg: "dir" }],
    ["a header that is an array", "[]"],
    ["a header that is null", "null"],
    ["a header that is not JSON", "{"],
    ["an empty header", ""],
    ["a header of 10 kB", { alg: "dir", enc: "A256CBC-HS512", typ: "x".repeat(10_000) }],
    ["a prototype as the header", '{"__proto__":{"alg":"dir","enc":"A256CBC-HS512"}}'],
  ]
  test.each(headers)("%s is invalid", (_, header) =>
    expectRefused(encryptToken(createClaims(), deriveSessionKey(), header)),
  )
})

describe("a header with an extension", () => {
  afterEach(() => vi.unstubAllGlobals())

  const members: Record<string, unknown>[] = [
    { zip: "DEF" },
    { crit: ["exp"], exp: 1 },
    { crit: [] },
    { jku: "https://evil.example/keys" },
    { x5u: "https://evil.example/cert" },
    { x5c: ["AAAA"] },
    { jwk: { kty: "oct", k: Buffer.from(deriveSessionKey()).toString("base64url") } },
    { b64: false },
    { p2c: 1 },
  ]

  test.each(members)(
    "%o is refused even with the right key, without network traffic",
    async (member) => {
      const fetch = vi.fn()
      vi.stubGlobal("fetch", fetch)
      await expectRefused(
        encryptToken(createClaims(), deriveSessionKey(), {
          alg: "dir",
          enc: "A256CBC-HS512",
          ...member,
        }),
      )
      expect(fetch).not.toHaveBeenCalled()
    },
  )
})

describe("a token with invalid times", () => {
  const now = () => Math.floor(Date.now() / 1000)
  const unfit: [string, () => Record<string, unknown>][] = [
    ["expired a minute ago", () => ({ exp: now() - 60 })],
    ["expired 16 seconds ago", () => ({ exp: now() - 16 })],
    ["expires at no time", () => ({ exp: undefined })],
    ["expires at a negative time", () => ({ exp: -1 })],
    ["expires at zero", () => ({ exp: 0 })],
    ["expires at a string", () => ({ exp: String(now() + 60) })],
    ["expires at null", () => ({ exp: null })],
    ["expires at true", () => ({ exp: true })],
    ["expires at an object", () => ({ exp: {} })],
    ["is not valid yet", () => ({ nbf: now() + 60 })],
    ["is valid from a string", () => ({ nbf: "0" })],
    ["is valid from a negative time", () => ({ nbf: -1 })],
    ["was issued at a string", () => ({ iat: "now" })],
    ["was issued at a negative time", () => ({ iat: -5 })],
  ]
  test.each(unfit)("(%s) is invalid", (_, change) =>
    expectRefused(encryptToken(createClaims(change()))),
  )

  test("beyond the range of numbers is invalid", () =>
    expectRefused(
      encryptToken(JSON.stringify(createClaims({ exp: 0 })).replace('"exp":0', '"exp":1e999')),
    ))

  test("is valid within a few seconds: clocks differ", async () => {
    for (const change of [{ exp: now() - 10 }, { nbf: now() + 10 }]) {
      const { session } = await fetchSession(
        createPasswordApp(),
        encryptToken(createClaims(change)),
      )
      expect(session).toMatchObject({ user: { name: "mallory" } })
    }
  })

  test.each(["[]", '"text"', "null", "7", "no JSON", ""])(
    "an encrypted `%s`, which contains no claims, is invalid",
    (text) => expectRefused(encryptToken(text)),
  )
})
