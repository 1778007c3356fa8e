/** Test vectors for the formats of sessions and CSRF tokens: protocol sections 2.2 and 3. */
import { decodeProtectedHeader } from "jose"
import { describe, expect, test } from "vitest"
import { cryptoRuntimes } from "../support/crypto-runtimes.ts"

const secret = "secret"
const salt = "authjs.session-token"
const info = `Auth.js Generated Encryption Key (${salt})`
const derivedKey =
  "b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025" +
  "131e90695ff072a9d148f1511c7a4981a85b63a628311da1fa7ccfc49c47c2bb"
const kid = "7x9DUMVaEU6giab0l0OWDt4e4SsRH_cbwMof2EzEyy6onK5o8xSPPB799RVoqm2v6z674kQCv9jom2T8S-a1dQ"
const token =
  "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRl" +
  "NFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ.." +
  "NnmdMotgaLSfoa3OMP_LJw.z2X07UbBvZuiRYW-dne8h50apJTYHFfI-BeHyPh05zPFiVD63bgB1HcJPDtPUjpoN3u" +
  "T5ZGHk8ufzwVmJ4NMV2ym5s9iO1--2rAsCzPDq_YF1exdzAEWhWtdPcS20coufIrHhj3aKglKCXPhpeuOoA." +
  "qIE58Rc9XvBEN0A2JrlyEtt0WSCG0CDWYEoJFxsKklY"
const claims = {
  sub: "user-1",
  name: "Ada",
  iat: 1795167520,
  exp: 2395167520,
  jti: "823c8a56-a8a2-4863-a066-25a1f64c62ba",
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe.each(cryptoRuntimes)("on %s", (_, { primitives, jwe, jwt, digest }) => {
  test("the derived keys match the format, and the short one is half of the long one", async () => {
    expect(toHex(await primitives.hkdf(secret, salt, info, 64))).toBe(derivedKey)
    expect(toHex(await primitives.hkdf(secret, salt, info, 32))).toBe(derivedKey.slice(0, 64))
  })

  test("the header names the key by its thumbprint, with its members in order", async () => {
    const key = await jwe.deriveJweKey(secret, salt, info)
    expect(key.cbcThumbprint).toBe(kid)
    expect(Buffer.from(key.header, "base64url").toString()).toBe(
      `{"alg":"dir","enc":"A256CBC-HS512","kid":"${kid}"}`,
    )
    const sealed = await jwt.encode({ token: {}, secret, salt })
    expect(decodeProtectedHeader(sealed)).toEqual({ alg: "dir", enc: "A256CBC-HS512", kid })
  })

  test("the token that expires in 2045 is decrypted", async () => {
    expect(await jwt.decode({ token, secret, salt })).toEqual(claims)
    expect(await jwt.decode({ token, secret: ["new", secret], salt })).toEqual(claims)
  })

  test("the hashes of forms match the format", async () => {
    const form = "a".repeat(64)
    const one = "903c1490e042a075338b0e597cd889260f671063edb09ab070d2634e8277cf9c"
    const joined = "e25cf8a365e2fb966cb098012f2483fc0f0010fdb7b720fb4e65f7aaa7389433"
    expect(await digest.createHasher(["secret"]).hashLikeAuthjs(form)).toEqual([one])
    const hashes = await digest.createHasher(["s2", "s1"]).hashLikeAuthjs(form)
    expect(hashes.at(-1)).toBe(joined)
    expect(hashes).toHaveLength(3)
  })
})
