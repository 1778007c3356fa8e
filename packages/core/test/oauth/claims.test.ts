import { browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectSecretsUnlogged, oauthApp } from "../support/oauth-app.ts"

const own = (value: unknown) => ({ value, enumerable: true, configurable: true, writable: true })

describe("claims", () => {
  test.each(["__proto__", "constructor", "prototype"])(
    "78 named %s change no object but their own",
    async (name) => {
      const provider = await scriptedProvider()
      const profiles: unknown[] = []
      const at = await oauthApp(
        // As many definitions do: everything the provider says becomes the user.
        provider.asOidc({ profile: (claims: object) => ({ ...claims, id: "ada" }) }),
        { callbacks: { signIn: ({ user, profile }) => profiles.push(user, profile) > 0 } },
      )
      const alice = browser(at.app)
      provider.misbehave({
        idToken: ({ claims }) => {
          Object.defineProperty(claims, name, own({ admin: true }))
        },
      })
      await alice.signIn(provider)
      expect(await alice.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
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
    test.each(addresses)(
      `78 ${kind}: an email that is no address is left out: %j`,
      async (email) => {
        const provider = await scriptedProvider()
        const at = await oauthApp(provider[kind]())
        const alice = browser(at.app)
        const changed = (claims: object) => ({ ...claims, email })
        provider.misbehave({
          idToken: ({ claims }) => void Object.assign(claims, { email }),
          userinfo: changed,
        })
        const answer = await alice.signIn(provider)
        expect(answer.headers.get("location")).toBe("https://app.example")
        expect(await alice.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
        expect(at.rows("User")).toMatchObject([{ email: null }])
        expectSecretsUnlogged(at, provider)
      },
    )
  }

  test("78 an email is kept in lower case", async () => {
    const provider = await scriptedProvider()
    provider.user({ sub: "ada", email: "Ada@Example.COM" })
    const at = await oauthApp(provider.asOidc())
    await browser(at.app).signIn(provider)
    expect(at.rows("User")).toMatchObject([{ email: "ada@example.com" }])
  })

  test("78 name and picture that are no text are left out by the default mapping", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({
      idToken: ({ claims }) => void Object.assign(claims, { name: { first: "Ada" }, picture: 7 }),
    })
    const at = await oauthApp(provider.asOidc())
    const alice = browser(at.app)
    await alice.signIn(provider)
    expect(await alice.session()).toMatchObject({ user: { name: null, image: null } })
  })
})
