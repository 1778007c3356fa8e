import apple, { type AppleOptions } from "@latchkey/core/providers/apple"
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import { dialects } from "./dialects.ts"
import { stand } from "./stand.ts"

const dialect = dialects.find(({ id }) => id === "apple")
if (!dialect) throw new TypeError("apple has no dialect")

/** What Apple posts at a person's first sign-in. */
const posted = (user: unknown) => ({ user: typeof user === "string" ? user : JSON.stringify(user) })

async function nameAfter(user: unknown) {
  const { at, begin, approve } = await stand(dialect as NonNullable<typeof dialect>)
  const answer = await approve(await begin(), posted(user))
  expect(answer.headers.get("location"), at.log()).toBe("https://app.example")
  return at.rows("User")[0]
}

describe("the name that Apple posts beside the code", () => {
  const name = { firstName: "Ada", lastName: "Lovelace" }

  test("is taken at the first sign-in", async () => {
    expect(await nameAfter({ name, email: "ada@example.com" })).toMatchObject({
      name: "Ada Lovelace",
      email: "ada@example.com",
    })
  })

  test("decides nothing: neither the address nor who it is", async () => {
    const forged = { name, email: "mallory@example.com", sub: "mallory", email_verified: true }
    expect(await nameAfter(forged)).toMatchObject({ email: "ada@example.com" })
  })

  const unusable: [string, unknown][] = [
    ["no JSON", "{"],
    ["no object", '"Ada"'],
    ["null", "null"],
    ["no name", {}],
    ["a name that is text", { name: "Ada" }],
    ["parts that are no texts", { name: { firstName: { $ne: 1 }, lastName: 7 } }],
  ]
  test.each(unusable)("is left out when it is %s", async (_, user) => {
    expect(await nameAfter(user)).toMatchObject({ name: null })
  })

  test("may come in part", async () => {
    expect(await nameAfter({ name: { firstName: "Ada", lastName: "" } })).toMatchObject({
      name: "Ada",
    })
  })
})

describe("the client secret for Apple", () => {
  async function key() {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true })
    return { pem: await exportPKCS8(privateKey), publicKey }
  }

  /** The token request that an application with such options sends. */
  async function sentWith(options: AppleOptions) {
    const setting = await stand(dialect as NonNullable<typeof dialect>, undefined, options)
    setting.provider.answer("token", () => Response.json({ error: "invalid_client" }))
    const answer = await setting.signIn()
    return { ...setting, answer, body: setting.provider.tokenRequests[0]?.body }
  }

  test.each(["as it is", "with its line breaks escaped"])(
    "is signed for each request with the developer's key, %s",
    async (how) => {
      const { pem, publicKey } = await key()
      const privateKey = how === "as it is" ? pem : pem.replaceAll("\n", "\\n")
      const options = { clientSecret: undefined, teamId: "TEAM123456", keyId: "KEY1234567" }
      const { body } = await sentWith({ ...options, privateKey })
      const secret = body?.get("client_secret") ?? ""
      const { payload, protectedHeader } = await jwtVerify(secret, publicKey, {
        issuer: "TEAM123456",
        subject: "latchkey-client",
        audience: "https://appleid.apple.com",
      })
      expect(protectedHeader).toEqual({ alg: "ES256", kid: "KEY1234567" })
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300)
      expect(body?.get("client_id")).toBe("latchkey-client")
    },
  )

  test("may be one that was made elsewhere", async () => {
    const { body } = await sentWith({ clientSecret: "made.else.where" })
    expect(body?.get("client_secret")).toBe("made.else.where")
  })

  test("is not made with a key that cannot be read, and the log does not show it", async () => {
    const parts = { teamId: "T", keyId: "K", privateKey: "-----BEGIN SOMETHING----- MIGTAgEA" }
    const { at, alice, provider } = await sentWith(parts)
    expect(await alice.session()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
    expect(at.log()).toContain("must be the content of the .p8 file")
    expect(at.log()).not.toContain("MIGTAgEA")
  })

  const partly: [AppleOptions, RegExp][] = [
    [{ teamId: "T", keyId: "K" }, /lacks `privateKey`/],
    [{ privateKey: "pem" }, /lacks `teamId` and `keyId`/],
    [{ teamId: "T", keyId: "", privateKey: "pem" }, /lacks `keyId`/],
  ]
  test.each(partly)("cannot be made of %j", (options, message) => {
    expect(() => apple(options)).toThrow(TypeError)
    expect(() => apple(options)).toThrow(message)
  })
})
