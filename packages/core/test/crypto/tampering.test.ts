/** Altered values are rejected by both implementations of the primitives. */
import { describe, expect, test } from "vitest"
import { cryptoRuntimes } from "../support/crypto-runtimes.ts"
import {
  createClaims,
  deriveSessionKey,
  encryptToken,
  sessionCookieName,
} from "../support/forged-tokens.ts"
import { secret } from "../support/password-app.ts"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

describe.each(cryptoRuntimes)("on %s", (_, { jwt, seal }) => {
  const opens = (token: string) =>
    jwt.decode({ token, secret, salt: sessionCookieName }).then(
      () => true,
      () => false,
    )

  test("a token with any one character changed is refused", async () => {
    const token = await jwt.encode({ token: { name: "Ada" }, secret, salt: sessionCookieName })
    expect(await opens(token)).toBe(true)
    for (let index = 0; index < token.length; index++) {
      const character = token.charAt(index)
      // The next character differs in the last bit, which may be an unused one.
      const other = character === "." ? "A" : alphabet.charAt(alphabet.indexOf(character) ^ 1)
      expect(await opens(token.slice(0, index) + other + token.slice(index + 1))).toBe(false)
    }
  })

  test("a token with any one character missing or doubled is refused", async () => {
    const token = await jwt.encode({ token: {}, secret, salt: sessionCookieName })
    for (let index = 0; index < token.length; index++) {
      expect(await opens(token.slice(0, index) + token.slice(index + 1))).toBe(false)
      expect(await opens(token.slice(0, index) + token.charAt(index) + token.slice(index))).toBe(
        false,
      )
    }
  })

  test("a token made by hand is decrypted, and refused if its header was reordered after encryption", async () => {
    const token = encryptToken(createClaims())
    expect(await opens(token)).toBe(true)
    const header = Buffer.from('{"enc":"A256CBC-HS512","alg":"dir"}').toString("base64url")
    expect(await opens([header, ...token.split(".").slice(1)].join("."))).toBe(false)
    expect(
      await opens(
        encryptToken(createClaims(), deriveSessionKey(), '{"enc":"A256CBC-HS512","alg":"dir"}'),
      ),
    ).toBe(true)
  })

  // A missing environment variable must not lead to a key that anyone can derive.
  test.each([[undefined], [""], [[]], [["", undefined]], [[secret, ""]], [[secret, undefined]]])(
    "no token is decrypted with an empty secret: %j",
    async (missing) => {
      const token = encryptToken(createClaims(), deriveSessionKey(""))
      const params = { token, secret: missing as string, salt: sessionCookieName }
      await expect(jwt.decode(params)).rejects.toThrow(TypeError)
    },
  )

  test("empty secrets in a list are not used", async () => {
    const salt = sessionCookieName
    const token = await jwt.encode({ secret: ["", secret], salt })
    expect(await opens(token)).toBe(true)
    await expect(jwt.decode({ token, secret: [secret, ""], salt })).resolves.toBeTruthy()
  })

  test("an encrypted value is decrypted for its purpose only, and only before it expires", async () => {
    const sealer = seal.createSealer([secret])
    const value = await sealer.seal("transaction", { provider: "a" }, 60)
    expect(await sealer.open("transaction", value)).toMatchObject({ provider: "a" })
    expect(await sealer.open("proxied state", value)).toBeUndefined()
    expect(await opens(value)).toBe(false)
    expect(await sealer.open("transaction", `${value.slice(0, -2)}AA`)).toBeUndefined()
    expect(
      await sealer.open("transaction", await sealer.seal("transaction", {}, 0)),
    ).toBeUndefined()
    const rotated = seal.createSealer(["fedcba9876543210fedcba9876543210", secret])
    expect(await rotated.open("transaction", value)).toMatchObject({ provider: "a" })
    const foreign = seal.createSealer(["fedcba9876543210fedcba9876543210"])
    expect(await foreign.open("transaction", value)).toBeUndefined()
  })
})
