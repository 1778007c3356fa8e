/** Both implementations of the primitives return the same results, and each decrypts what the other encrypted. */
import { createCipheriv, createHash, randomBytes } from "node:crypto"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decryptGcm } from "../../src/crypto/jwe.ts"
import { randomHex, randomToken, timingSafeEqual } from "../../src/crypto/random.ts"
import type { Cipher } from "../../src/runtime/primitives.ts"
import { anyCharacter } from "../support/any-character.ts"
import { nodeCrypto, webCrypto } from "../support/crypto-runtimes.ts"

const nodePrimitives = nodeCrypto.primitives
const webPrimitives = webCrypto.primitives

const anyText = fc.string({ unit: anyCharacter, maxLength: 200 })
const wellFormedText = fc.string({ unit: "grapheme", maxLength: 200 })
const asciiText = fc.string({ unit: "grapheme-ascii", maxLength: 100 })
const anyBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

test("both implementations derive the same keys", async () => {
  const length = fc.constantFrom(16, 32, 64)
  await fc.assert(
    fc.asyncProperty(anyText, anyText, asciiText, length, async (secret, salt, info, size) => {
      const key = await webPrimitives.hkdf(secret, salt, info, size)
      expect(key).toHaveLength(size)
      expect(await nodePrimitives.hkdf(secret, salt, info, size)).toEqual(key)
    }),
  )
})

test("both implementations compute the same hashes, with and without a key", async () => {
  const algorithm = fc.constantFrom("SHA-256" as const, "SHA-384" as const, "SHA-512" as const)
  await fc.assert(
    fc.asyncProperty(anyBytes(32), algorithm, anyText, async (key, name, message) => {
      const hash = await webPrimitives.mac(key)(message)
      expect(await nodePrimitives.mac(key)(message)).toBe(hash)
      expect(hash).toMatch(/^[0-9a-f]{64}$/)
      const digest = Buffer.from(await webPrimitives.digest(name, message))
      expect(Buffer.from(await nodePrimitives.digest(name, message)).equals(digest)).toBe(true)
      for (const encoding of ["base64url", "hex"] as const) {
        const text = createHash("sha256").update(message).digest(encoding)
        expect(await nodePrimitives.sha256(message, encoding)).toBe(text)
        expect(await webPrimitives.sha256(message, encoding)).toBe(text)
      }
    }),
  )
})

test("both implementations encode bytes alike, also those of a part of a buffer", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(8), (bytes, start) => {
      const part = bytes.subarray(start)
      for (const encoding of ["base64url", "hex"] as const) {
        const text = Buffer.from([...part]).toString(encoding)
        expect(nodePrimitives.encode(part, encoding)).toBe(text)
        expect(webPrimitives.encode(part, encoding)).toBe(text)
      }
    }),
  )
})

test("both implementations compare texts", () => {
  fc.assert(
    fc.property(wellFormedText, wellFormedText, (a, b) => {
      expect(timingSafeEqual(a, b)).toBe(a === b)
      expect(timingSafeEqual(a, a)).toBe(true)
      expect(timingSafeEqual(a, `${a}x`)).toBe(false)
    }),
  )
})

test("random texts have their form, and differ each time", () => {
  const drawn = Array.from({ length: 100 }, () => [randomHex(), randomToken()]).flat()
  expect(new Set(drawn).size).toBe(200)
  for (const text of drawn) expect(text).toMatch(/^(?:[0-9a-f]{64}|[\w-]{43})$/)
})

test("both implementations use each random byte once, whatever lengths are asked for", () => {
  for (const { randomBytes: draw } of [nodePrimitives, webPrimitives]) {
    const drawn = Array.from({ length: 1000 }, (_, i) => draw(i % 3 === 0 ? 16 : 32))
    expect(drawn.every(({ length }, i) => length === (i % 3 === 0 ? 16 : 32))).toBe(true)
    // Values that overlap would have a quarter in common.
    const quarters = drawn.flatMap((bytes) =>
      Array.from({ length: bytes.length / 8 }, (_, i) =>
        Buffer.from(bytes.subarray(i * 8, i * 8 + 8)).toString("hex"),
      ),
    )
    expect(new Set(quarters).size).toBe(quarters.length)
  }
})

test("both implementations use each byte of an initialization vector once", async () => {
  for (const { cbcHmac } of [nodePrimitives, webPrimitives]) {
    const cipher = cbcHmac(randomBytes(64))
    const sealed = await Promise.all(
      Array.from({ length: 1000 }, async () => cipher.encrypt("text", "header")),
    )
    const vectors = sealed.map(({ iv }) => Buffer.from(iv, "base64url"))
    expect(vectors.every(({ length }) => length === 16)).toBe(true)
    // Vectors that overlap would have a half in common.
    const halves = vectors.flatMap((iv) => [iv.toString("hex", 0, 8), iv.toString("hex", 8)])
    expect(new Set(halves).size).toBe(2000)
  }
})

/** A256GCM encryption of Node.js, because the library only decrypts it. */
const gcm = (key: Uint8Array): Cipher => ({
  encrypt(plaintext, aad) {
    const iv = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(aad))
    const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()])
    return {
      iv: iv.toString("base64url"),
      ciphertext: ciphertext.toString("base64url"),
      tag: cipher.getAuthTag().toString("base64url"),
    }
  },
  decrypt: (parts, aad) => decryptGcm(key, parts, aad),
})

const ciphers: [string, (key: Uint8Array) => [Cipher, Cipher], number][] = [
  ["A256CBC-HS512", (key) => [nodePrimitives.cbcHmac(key), webPrimitives.cbcHmac(key)], 64],
  ["A256GCM", (key) => [gcm(key), gcm(key)], 32],
]

describe.each(ciphers)("%s", (_, make, size) => {
  test("decrypts what the other implementation encrypted", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes(size), wellFormedText, asciiText, async (key, message, aad) => {
        const [a, b] = make(key)
        for (const [seal, open] of [
          [a, b],
          [b, a],
          [a, a],
          [b, b],
        ] as const) {
          expect(await open.decrypt(await seal.encrypt(message, aad), aad)).toBe(message)
        }
      }),
    )
  })

  test("keeps a byte order mark at the beginning", async () => {
    const [a, b] = make(new Uint8Array(size).fill(7))
    const sealed = await a.encrypt("\uFEFFtext", "")
    expect(await a.decrypt(sealed, "")).toBe("\uFEFFtext")
    expect(await b.decrypt(sealed, "")).toBe("\uFEFFtext")
  })

  test("does not decrypt with another key, other associated data or a changed part", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBytes(size),
        anyBytes(size),
        wellFormedText,
        async (key, other, message) => {
          fc.pre(Buffer.compare(key, other) !== 0)
          const [a, b] = make(key)
          const sealed = await a.encrypt(message, "aad")
          const twin = await b.encrypt(message, "aad")
          for (const cipher of [a, b]) {
            expect(await cipher.decrypt(sealed, "aae")).toBeNull()
            expect(await cipher.decrypt({ ...sealed, iv: twin.iv }, "aad")).toBeNull()
            expect(await cipher.decrypt({ ...sealed, tag: twin.tag }, "aad")).toBeNull()
            expect(await cipher.decrypt({ ...sealed, iv: sealed.tag }, "aad")).toBeNull()
            expect(
              await cipher.decrypt({ ...sealed, tag: sealed.tag.slice(0, 8) }, "aad"),
            ).toBeNull()
            expect(await cipher.decrypt({ iv: "", ciphertext: "", tag: "" }, "aad")).toBeNull()
          }
          for (const cipher of make(other)) expect(await cipher.decrypt(sealed, "aad")).toBeNull()
        },
      ),
      { numRuns: 30 },
    )
  })

  test("never returns the same ciphertext twice", async () => {
    const sealed = await Promise.all(
      make(new Uint8Array(size)).flatMap((cipher) =>
        Array.from({ length: 20 }, () => cipher.encrypt("text", "")),
      ),
    )
    expect(new Set(sealed.map(({ iv }) => iv)).size).toBe(40)
    expect(new Set(sealed.map(({ ciphertext }) => ciphertext)).size).toBe(40)
  })
})
