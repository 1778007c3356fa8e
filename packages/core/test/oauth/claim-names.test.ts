import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectNoSecretsLogged } from "../support/oauth-app.ts"

const own = (value: unknown) => ({ value, enumerable: true, configurable: true, writable: true })

describe("claims", () => {
  test.each(["__proto__", "constructor", "prototype"])(
    "named %s cause no prototype pollution",
    async (name) => {
      const provider = await createScriptedProvider()
      const profiles: unknown[] = []
      const app = await createOAuthApp(
        // As many definitions do: all claims are copied to the user.
        provider.asOidc({ profile: (claims: object) => ({ ...claims, id: "ada" }) }),
        { callbacks: { signIn: ({ user, profile }) => profiles.push(user, profile) > 0 } },
      )
      const alice = createTestBrowser(app.app)
      provider.injectFaults({
        idToken: ({ claims }) => {
          Object.defineProperty(claims, name, own({ admin: true }))
        },
      })
      await alice.signIn(provider)
      expect(await alice.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
      expect(profiles).toHaveLength(2)
      for (const value of [...profiles, {}, Object, Function]) {
        expect((value as { admin?: unknown }).admin).toBeUndefined()
      }
    },
  )

  const addresses: unknown[] = [
    42,
    true,
    null,
    ["ada@example.com"],
    { address: "ada@example.com" },
    "",
    "ada",
    "ada@example.com, mallory@example.com",
    "ada@example.com\nbcc: mallory@example.com",
    "a@b@c",
    `${"x".repeat(310)}@example.com`,
  ]
  for (const kind of ["asOidc", "asOAuth"] as const) {
    test.each(addresses)(`${kind}: an invalid email is omitted: %j`, async (email) => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider[kind]())
      const alice = createTestBrowser(app.app)
      const changed = (claims: object) => ({ ...claims, email })
      provider.injectFaults({
        idToken: ({ claims }) => void Object.assign(claims, { email }),
        userinfo: changed,
      })
      const response = await alice.signIn(provider)
      expect(response.headers.get("location")).toBe("https://app.example")
      expect(await alice.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
      expect(app.readRows("User")).toMatchObject([{ email: null }])
      expectNoSecretsLogged(app, provider)
    })
  }

  test("an email is converted to lower case", async () => {
    const provider = await createScriptedProvider()
    provider.setUser({ sub: "ada", email: "Ada@Example.COM" })
    const app = await createOAuthApp(provider.asOidc())
    await createTestBrowser(app.app).signIn(provider)
    expect(app.readRows("User")).toMatchObject([{ email: "ada@example.com" }])
  })

  test("name and picture that are not strings are omitted by the default mapping", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({
      idToken: ({ claims }) => void Object.assign(claims, { name: { first: "Ada" }, picture: 7 }),
    })
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { name: null, image: null } })
  })
})
