import { createTestBrowser, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createProviderApp } from "./provider-app.ts"
import { type ProviderFixture, type ProviderProfile, sharedEmail } from "./provider-fixture.ts"
import { providerFixtures } from "./provider-fixtures.ts"

/** An application with a user who has the address, and a provider that may link by address. */
async function signInWithTakenEmail(
  fixture: ProviderFixture,
  person: ProviderProfile,
  options: object = {},
) {
  const joining = { allowDangerousEmailAccountLinking: true, ...options }
  const setup = await createProviderApp(fixture, person, joining)
  await setup.app.config.adapter?.createUser?.({
    id: "first",
    email: sharedEmail,
    emailVerified: null,
  })
  const response = await setup.signIn()
  return { ...setup, response }
}

const listCases = (kind: "unverifiedProfiles" | "linkableProfiles") =>
  providerFixtures.flatMap((fixture) =>
    (fixture[kind] ?? []).map((person, index) => ({
      id: fixture.id,
      index,
      fixture,
      person,
    })),
  )

describe("an address", () => {
  test.each(listCases("unverifiedProfiles"))(
    "that $id has not verified links no account, even if linking is allowed ($index)",
    async ({ fixture, person }) => {
      const { app, alice, response } = await signInWithTakenEmail(fixture, person)
      expect(getRedirectError(response), app.readLog()).toBe("OAuthAccountNotLinked")
      expect(await alice.getSession()).toBeNull()
      expect([app.readRows("User").length, app.readRows("Account").length]).toEqual([1, 0])
    },
  )

  test.each(listCases("unverifiedProfiles"))(
    "that $id has not verified is not stored, if addresses identify users ($index)",
    async ({ fixture, person }) => {
      const setup = await createProviderApp(fixture, person, {
        allowDangerousEmailAccountLinking: true,
      })
      await setup.signIn()
      expect(setup.app.readRows("User")).toMatchObject([{ email: null }])
    },
  )

  test.each(listCases("linkableProfiles"))(
    "that $id does not call unverified links the account only if linking is allowed ($index)",
    async ({ fixture, person }) => {
      const joined = await signInWithTakenEmail(fixture, person)
      expect(joined.response.headers.get("location"), joined.app.readLog()).toBe(
        "https://app.example",
      )
      expect(joined.app.readRows("Account")).toMatchObject([
        { userId: joined.app.readRows("User")[0]?.["id"] },
      ])
      expect(joined.app.readRows("User")).toHaveLength(1)
      const refused = await signInWithTakenEmail(fixture, person, {
        allowDangerousEmailAccountLinking: false,
      })
      expect(getRedirectError(refused.response)).toBe("OAuthAccountNotLinked")
    },
  )

  test("is verified if the `emailVerified` of the application returns true", async () => {
    const fixture = providerFixtures.find(({ id }) => id === "microsoft-entra-id")
    const [person] = fixture?.unverifiedProfiles ?? []
    if (!fixture || !person) throw new TypeError("there is no such fixture")
    const { app } = await signInWithTakenEmail(fixture, person, { emailVerified: () => true })
    expect([app.readRows("User").length, app.readRows("Account").length]).toEqual([1, 1])
  })

  test("refuses the sign-in if `emailVerified` throws", async () => {
    const [fixture] = providerFixtures
    if (!fixture) throw new TypeError("there is no fixture")
    const emailVerified = () => {
      throw new TypeError("cannot tell")
    }
    const { app, alice, signIn } = await createProviderApp(fixture, fixture.fullProfile, {
      emailVerified,
    })
    await signIn()
    expect(await alice.getSession()).toBeNull()
    expect(app.readRows("User")).toEqual([])
    expect(await createTestBrowser(app.app).getSession()).toBeNull()
    expect(app.readLog()).toContain("OAuthProfileParseError")
  })
})
