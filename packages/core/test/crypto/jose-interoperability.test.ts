/** Session tokens are standard JWEs: `jose` decrypts ours, and we decrypt those of `jose`. */
import fc from "fast-check"
import { CompactEncrypt, compactDecrypt } from "jose"
import { describe, expect, test } from "vitest"
import { cryptoRuntimes, nodeCrypto, webCrypto } from "../support/crypto-runtimes.ts"
import { deriveSessionKey } from "../support/forged-tokens.ts"

const salt = "__Secure-authjs.session-token"
const secret = "0123456789abcdef0123456789abcdef"
const info = `Auth.js Generated Encryption Key (${salt})`
/** Derives the key independently of the library. */
const deriveKey = (text: string, length: number) =>
  new Uint8Array(deriveSessionKey(text, salt, length))

const claims = fc.dictionary(
  fc
    .string({ maxLength: 12 })
    .filter((key) => !["iat", "exp", "nbf", "jti", "__proto__"].includes(key)),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 8 },
)

const encodings = [
  ["A256CBC-HS512", 64],
  ["A256GCM", 32],
] as const

/** The value after a round trip through JSON, which has no negative zero. */
const toJson = (value: object): object => JSON.parse(JSON.stringify(value))

function encryptWithJose(token: object, enc: string, key: Uint8Array, header: object = {}) {
  const soon = Math.floor(Date.now() / 1000) + 60
  const text = new TextEncoder().encode(JSON.stringify({ ...token, exp: soon }))
  return new CompactEncrypt(text).setProtectedHeader({ alg: "dir", enc, ...header }).encrypt(key)
}

describe.each(cryptoRuntimes)("on %s", (_, { jwt, jwe }) => {
  test("jose decrypts every token of this library", async () => {
    const key = deriveKey(secret, 64)
    await fc.assert(
      fc.asyncProperty(claims, async (token) => {
        const sealed = await jwt.encode({ token, secret, salt, maxAge: 60 })
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, key)
        const { iat, exp, jti, ...rest } = JSON.parse(new TextDecoder().decode(plaintext))
        expect(JSON.stringify(rest)).toBe(JSON.stringify(token))
        expect(exp - iat).toBe(60)
        expect(jti).toMatch(/^[0-9a-f-]{36}$/)
        expect(protectedHeader).toMatchObject({ alg: "dir", enc: "A256CBC-HS512" })
      }),
    )
  })

  test.each(encodings)(
    "every token that jose encrypts with %s is decrypted",
    async (enc, length) => {
      const key = deriveKey(secret, length)
      const derived = await jwe.deriveJweKey(secret, salt, info)
      const kid =
        enc === "A256GCM"
          ? await jwe.computeThumbprint(derived.gcmKey, "SHA-256")
          : derived.cbcThumbprint
      const headers = fc.constantFrom({}, { kid }, { kid, typ: "JWT" }, { typ: "JWT", cty: "JSON" })
      await fc.assert(
        fc.asyncProperty(claims, headers, async (token, header) => {
          const sealed = await encryptWithJose(token, enc, key, header)
          const { exp: _exp, ...opened } = (await jwt.decode({ token: sealed, secret, salt })) ?? {}
          expect(JSON.stringify(opened)).toBe(JSON.stringify(token))
        }),
      )
    },
  )

  test("a token is decrypted with any matching secret, and with `kid` with the secret that it names", async () => {
    const old = "fedcba9876543210fedcba9876543210"
    const key = deriveKey(old, 64)
    const unnamed = await encryptWithJose({}, "A256CBC-HS512", key)
    await expect(jwt.decode({ token: unnamed, secret: [old, secret], salt })).resolves.toBeTruthy()
    await expect(jwt.decode({ token: unnamed, secret: [secret, old], salt })).resolves.toBeTruthy()
    await expect(jwt.decode({ token: unnamed, secret: [secret], salt })).rejects.toThrow(TypeError)
    const { cbcThumbprint } = await jwe.deriveJweKey(old, salt, info)
    const named = await encryptWithJose({}, "A256CBC-HS512", key, { kid: cbcThumbprint })
    await expect(jwt.decode({ token: named, secret: [secret, old], salt })).resolves.toBeTruthy()
    const strange = await encryptWithJose({}, "A256CBC-HS512", key, { kid: "another" })
    await expect(jwt.decode({ token: strange, secret: [old], salt })).rejects.toThrow(/no matching/)
  })
})

test("tokens of each implementation are decrypted by the other", async () => {
  await fc.assert(
    fc.asyncProperty(claims, async (token) => {
      for (const [from, to] of [
        [nodeCrypto, webCrypto],
        [webCrypto, nodeCrypto],
      ] as const) {
        const sealed = await from.jwt.encode({ token, secret, salt })
        expect(await to.jwt.decode({ token: sealed, secret, salt })).toMatchObject(toJson(token))
      }
    }),
  )
})
