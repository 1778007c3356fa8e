/** Signed tokens are accepted and refused alike on every runtime, and as the JOSE library does. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import fc from "fast-check"
import { CompactSign, compactVerify, exportJWK, generateKeyPair, importJWK, type JWK } from "jose"
import { describe, expect, test } from "vitest"
import type { KeyResolver } from "../../src/crypto/jws.ts"
import { cryptoRuntimes, nodeCrypto, webCrypto } from "../support/crypto-runtimes.ts"
import { propertyRuns } from "../support/property-runs.ts"

const algorithms = ["RS256", "RS384", "RS512", "PS256", "ES256", "EdDSA"]
const payload = new TextEncoder().encode('{"sub":"ada"}')
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

async function createSigner(alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const getKey = async () => publicKey
  const createToken = (header: object = {}) =>
    new CompactSign(payload).setProtectedHeader({ ...header, alg }).sign(privateKey)
  return { publicKey, getKey, createToken }
}

async function importKey(jwk: JWK, alg: string): Promise<CryptoKey> {
  return (await importJWK(jwk, alg)) as CryptoKey // only secrets become bytes
}

/** Signs any header with any RSA key, which the JOSE library would not do. */
function signAnyToken(header: object, key: KeyObject): string {
  const signed = `${encode(header)}.${Buffer.from(payload).toString("base64url")}`
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`
}

const signer = await createSigner("RS256")
const token = await signer.createToken({ kid: "1", typ: "JWT" })

test("only Node has primitives for RSA signatures", () => {
  expect(nodeCrypto.primitives.verifyRsaSignature).toBeTypeOf("function")
  expect(webCrypto.primitives.verifyRsaSignature).toBeUndefined()
})

describe.each(cryptoRuntimes)("with %s", (_, { jws }) => {
  test.each(algorithms)("a token signed with %s is accepted", async (alg) => {
    const { createToken, getKey } = await createSigner(alg)
    const header = await jws.verifyJws(await createToken({ kid: "1" }), getKey, [alg])
    expect(header).toEqual({ alg, kid: "1" })
  })

  test("the key is found by header and signature", async () => {
    const [encodedHeader, encodedPayload, signature] = token.split(".")
    const getKey: KeyResolver = async (header, parts) => {
      expect(header).toEqual({ alg: "RS256", kid: "1", typ: "JWT" })
      expect(parts).toEqual({ protected: encodedHeader, payload: encodedPayload, signature })
      return signer.publicKey
    }
    await jws.verifyJws(token, getKey, ["RS256"])
    expect.assertions(2)
  })

  test("a token is refused if its algorithm is not accepted", async () => {
    await expect(jws.verifyJws(token, signer.getKey, ["RS384", "PS256"])).rejects.toMatchObject({
      code: "ERR_JOSE_ALG_NOT_ALLOWED",
    })
  })

  test("a token is refused if another key signed it", async () => {
    const { getKey } = await createSigner("RS256")
    await expect(jws.verifyJws(token, getKey, ["RS256"])).rejects.toMatchObject({
      code: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
    })
  })

  test("a token is refused if its key was imported for another algorithm", async () => {
    const jwk = await exportJWK(signer.publicKey)
    for (const alg of ["RS384", "RS512", "PS256"]) {
      const key = await importKey(jwk, alg)
      await expect(jws.verifyJws(token, async () => key, ["RS256"])).rejects.toThrow()
    }
  })

  test("a token is refused if its key is shorter than 2048 bits", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2040 })
    const key = await importKey(publicKey.export({ format: "jwk" }), "RS256")
    const weak = signAnyToken({ alg: "RS256" }, privateKey)
    await expect(jws.verifyJws(weak, async () => key, ["RS256"])).rejects.toThrow()
  })

  test.each([
    { alg: "RS256", crit: ["exp"], exp: 1 },
    { alg: "RS256", crit: [] },
    { alg: "none" },
    { alg: "HS256" },
    { alg: "RS1" },
    { alg: ["RS256"] },
    {},
  ])("a token with the header %j is refused", async (header) => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
    const key = await importKey(publicKey.export({ format: "jwk" }), "RS256")
    const signed = signAnyToken(header, privateKey)
    await expect(jws.verifyJws(signed, async () => key, ["RS256"])).rejects.toThrow()
  })

  test("a token with a surplus character is refused, which some decoders ignore", async () => {
    // The signature has 384 bytes, which are 512 characters without a rest.
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 3072 })
    const key = await importKey(publicKey.export({ format: "jwk" }), "RS256")
    const signed = signAnyToken({ alg: "RS256" }, privateKey)
    const verify = (text: string) => jws.verifyJws(text, async () => key, ["RS256"])
    await expect(verify(signed)).resolves.toEqual({ alg: "RS256" })
    await expect(verify(`${signed}A`)).rejects.toThrow()
  })

  test("an error of the key resolver is passed on", async () => {
    const error = new Error("no key")
    const getKey = () => Promise.reject(error)
    await expect(jws.verifyJws(token, getKey, ["RS256"])).rejects.toBe(error)
  })

  test("no changed token is accepted that the JOSE library refuses", async () => {
    const anyPlace = fc.nat(token.length - 1)
    const anyText = fc.constantFrom("", "A", "Q", "=", ".", " ", "\n", "é", "+", "_")
    await fc.assert(
      fc.asyncProperty(anyPlace, anyText, fc.nat(2), async (place, text, length) => {
        const changed = token.slice(0, place) + text + token.slice(place + length)
        const options = { algorithms: ["RS256"] }
        const isAccepted = await compactVerify(changed, signer.getKey, options).then(
          () => true,
          () => false,
        )
        const verified = jws.verifyJws(changed, signer.getKey, ["RS256"])
        if (isAccepted) await expect(verified).resolves.toBeDefined()
        else await expect(verified).rejects.toThrow()
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})
