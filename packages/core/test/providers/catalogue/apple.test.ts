import apple, { type AppleOptions } from "@latchkey/core/providers/apple"
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import { createProviderApp } from "./provider-app.ts"
import { providerFixtures } from "./provider-fixtures.ts"

const fixture = providerFixtures.find(({ id }) => id === "apple")
if (!fixture) throw new TypeError("apple has no dialect")

/** The name that Apple posts at the first sign-in. */
const createPostedUser = (user: unknown) => ({
  user: typeof user === "string" ? user : JSON.stringify(user),
})

async function signInWithPostedUser(user: unknown) {
  const { app, beginSignIn, approve } = await createProviderApp(
    fixture as NonNullable<typeof fixture>,
  )
  const response = await approve(await beginSignIn(), createPostedUser(user))
  expect(response.headers.get("location"), app.readLog()).toBe("https://app.example")
  return app.readRows("User")[0]
}

describe("the name that Apple posts with the code", () => {
  const name = { firstName: "Ada", lastName: "Lovelace" }

  test("is used at the first sign-in", async () => {
    expect(await signInWithPostedUser({ name, email: "ada@example.com" })).toMatchObject({
      name: "Ada Lovelace",
      email: "ada@example.com",
    })
  })

  test("never sets the address or the id", async () => {
    const forged = { name, email: "mallory@example.com", sub: "mallory", email_verified: true }
    expect(await signInWithPostedUser(forged)).toMatchObject({ email: "ada@example.com" })
  })

  const unusable: [string, unknown][] = [
    ["not JSON", "{"],
    ["not an object", '"Ada"'],
    ["null", "null"],
    ["no name", {}],
    ["a name that is text", { name: "Ada" }],
    ["parts that are no texts", { name: { firstName: { $ne: 1 }, lastName: 7 } }],
  ]
  test.each(unusable)("is ignored if it is %s", async (_, user) => {
    expect(await signInWithPostedUser(user)).toMatchObject({ name: null })
  })

  test("can be incomplete", async () => {
    expect(await signInWithPostedUser({ name: { firstName: "Ada", lastName: "" } })).toMatchObject({
      name: "Ada",
    })
  })
})

describe("the client secret for Apple", () => {
  async function key() {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true })
    return { pem: await exportPKCS8(privateKey), publicKey }
  }

  /** Returns the token request of an application with these options. */
  async function sentWith(options: AppleOptions) {
    const setup = await createProviderApp(
      fixture as NonNullable<typeof fixture>,
      undefined,
      options,
    )
    setup.provider.overrideEndpoint("token", () => Response.json({ error: "invalid_client" }))
    const response = await setup.signIn()
    return { ...setup, response, body: setup.provider.tokenRequests[0]?.body }
  }

  test.each(["unchanged", "with its line breaks escaped"])(
    "is signed for each request with the developer's key, %s",
    async (how) => {
      const { pem, publicKey } = await key()
      const privateKey = how === "unchanged" ? pem : pem.replaceAll("\n", "\\n")
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

  test("can be configured", async () => {
    const { body } = await sentWith({ clientSecret: "made.else.where" })
    expect(body?.get("client_secret")).toBe("made.else.where")
  })

  test("is not created with an invalid key, which is not logged", async () => {
    const parts = { teamId: "T", keyId: "K", privateKey: "-----BEGIN SOMETHING----- MIGTAgEA" }
    const { app, alice, provider } = await sentWith(parts)
    expect(await alice.getSession()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
    expect(app.readLog()).toContain("must be the content of the .p8 file")
    expect(app.readLog()).not.toContain("MIGTAgEA")
  })

  const partly: [AppleOptions, RegExp][] = [
    [{ teamId: "T", keyId: "K" }, /needs `privateKey`/],
    [{ privateKey: "pem" }, /needs `teamId` and `keyId`/],
    [{ teamId: "T", keyId: "", privateKey: "pem" }, /needs `keyId`/],
  ]
  test.each(partly)("cannot be created from %j", (options, message) => {
    expect(() => apple(options)).toThrow(TypeError)
    expect(() => apple(options)).toThrow(message)
  })
})
