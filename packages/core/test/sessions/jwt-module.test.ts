import { decode, encode } from "@latchkey/core/jwt"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { createClaims, deriveSessionKey, encryptToken } from "../support/forged-tokens.ts"
import { secret } from "../support/password-app.ts"

const salt = "authjs.session-token"
const now = 1_800_000_000

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: now * 1000 }))
afterEach(() => vi.useRealTimers())

describe("`encode`", () => {
  test("sets the times and an id, overriding those of the token", async () => {
    const token = { name: "Ada", iat: 1, exp: 2, jti: "mine" }
    const claims = await decode({ token: await encode({ token, secret, salt }), secret, salt })
    expect(claims).toEqual({
      name: "Ada",
      iat: now,
      exp: now + 2_592_000,
      jti: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
    })
  })

  test("accepts a lifetime in seconds", async () => {
    const token = await encode({ secret, salt, maxAge: 60 })
    expect(await decode({ token, secret, salt })).toMatchObject({ exp: now + 60 })
  })

  test("does not change its parameters", async () => {
    const token = Object.freeze({ name: "Ada" })
    await encode({ token, secret, salt })
    expect(token).toEqual({ name: "Ada" })
  })

  test("encrypts with the first secret, for one salt", async () => {
    const old = "fedcba9876543210fedcba9876543210"
    const token = await encode({ secret: [secret, old], salt })
    await expect(decode({ token, secret, salt })).resolves.toBeTruthy()
    await expect(decode({ token, secret: old, salt })).rejects.toThrow(TypeError)
    await expect(decode({ token, secret, salt: "other" })).rejects.toThrow(TypeError)
  })

  test("never confuses secret and salt", async () => {
    const pairs = [
      { salt: "a", secret: "b\nc" },
      { salt: "a\nb", secret: "c" },
      { salt: "1 a", secret: "b" },
      { salt: "1", secret: " ab" },
    ]
    for (const one of pairs) {
      const token = await encode(one)
      for (const other of pairs) {
        const opened = decode({ token, ...other }).then(Boolean, () => false)
        expect(await opened).toBe(one === other)
      }
    }
  })

  test.each([[[]], [""], [[""]]])("throws without a secret: %j", async (none) => {
    await expect(encode({ secret: none, salt })).rejects.toThrow(TypeError)
  })
})

describe("`decode`", () => {
  test.each([undefined, ""])("returns null for %o", async (token) => {
    expect(await decode({ token, secret, salt })).toBeNull()
  })

  test.each(["x", "a.b.c", "....", "a..b.c.d"])("throws for `%s`", async (token) => {
    await expect(decode({ token, secret, salt })).rejects.toThrow(TypeError)
  })

  test("tolerates clock differences of 15 seconds, and no more", async () => {
    const token = await encode({ secret, salt, maxAge: 100 })
    vi.setSystemTime((now + 114) * 1000)
    await expect(decode({ token, secret, salt })).resolves.toBeTruthy()
    vi.setSystemTime((now + 115) * 1000)
    await expect(decode({ token, secret, salt })).rejects.toThrow(/expired/)
    const early = encryptToken(
      createClaims({ nbf: now + 1000, exp: now + 2000 }),
      deriveSessionKey(secret, salt),
    )
    vi.setSystemTime((now + 985) * 1000)
    await expect(decode({ token: early, secret, salt })).resolves.toBeTruthy()
    vi.setSystemTime((now + 984) * 1000)
    await expect(decode({ token: early, secret, salt })).rejects.toThrow(/not valid yet/)
  })

  test("accepts times after January 2038", async () => {
    vi.setSystemTime(Date.parse("2040-01-01"))
    const token = await encode({ secret, salt })
    const claims = await decode({ token, secret, salt })
    expect(claims?.exp).toBe(Date.parse("2040-01-31") / 1000)
  })

  test("refuses a token that is longer than all cookies together", async () => {
    const token = await encode({ token: { filling: "x".repeat(200_000) }, secret, salt })
    await expect(decode({ token, secret, salt })).rejects.toThrow(/too long/)
  })

  test("names the reason in its error, without the token or the secret", async () => {
    const token = encryptToken(
      createClaims(),
      deriveSessionKey("fedcba9876543210fedcba9876543210", salt),
    )
    const error: unknown = await decode({ token, secret, salt }).catch((fault: unknown) => fault)
    expect(String(error)).toContain("altered")
    expect(String(error)).not.toContain(token.slice(0, 20))
    expect(String(error)).not.toContain(secret)
  })
})
