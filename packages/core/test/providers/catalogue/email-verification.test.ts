import { createTestBrowser, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createProviderApp } from "./provider-app.ts"
import { type ProviderFixture, type ProviderProfile, sharedEmail } from "./provider-fixture.ts"
import { providerFixtures } from "./provider-fixtures.ts"

/** Somebody has the address already, and the application lets the provider's addresses join. */
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
  return { ...setup, answer: response }
}

const listCases = (kind: "unverifiedProfiles" | "linkableProfiles") =>
  providerFixtures.flatMap((fixture) =>
    (fixture[kind] ?? []).map((person, index) => ({
      id: fixture.id,
      index,
      dialect: fixture,
      person,
    })),
  )

describe("an address", () => {
  test.each(listCases("unverifiedProfiles"))(
    "110 that $id has not proven joins nobody, even where allowed ($index)",
    async ({ dialect: fixture, person }) => {
      const { app, alice, answer: response } = await signInWithTakenEmail(fixture, person)
      expect(getRedirectError(response), app.readLog()).toBe("OAuthAccountNotLinked")
      expect(await alice.getSession()).toBeNull()
      expect([app.readRows("User").length, app.readRows("Account").length]).toEqual([1, 0])
    },
  )

  test.each(listCases("unverifiedProfiles"))(
    "111 that $id has not proven is nobody's, where addresses are identities ($index)",
    async ({ dialect: fixture, person }) => {
      const setup = await createProviderApp(fixture, person, {
        allowDangerousEmailAccountLinking: true,
      })
      await setup.signIn()
      expect(setup.app.readRows("User")).toMatchObject([{ email: null }])
    },
  )

  test.each(listCases("linkableProfiles"))(
    "110 that $id does not deny joins where allowed, and only there ($index)",
    async ({ dialect: fixture, person }) => {
      const joined = await signInWithTakenEmail(fixture, person)
      expect(joined.answer.headers.get("location"), joined.app.readLog()).toBe(
        "https://app.example",
      )
      expect(joined.app.readRows("Account")).toMatchObject([
        { userId: joined.app.readRows("User")[0]?.["id"] },
      ])
      expect(joined.app.readRows("User")).toHaveLength(1)
      const refused = await signInWithTakenEmail(fixture, person, {
        allowDangerousEmailAccountLinking: false,
      })
      expect(getRedirectError(refused.answer)).toBe("OAuthAccountNotLinked")
    },
  )

  test("that the application vouches for itself counts as it says", async () => {
    const fixture = providerFixtures.find(({ id }) => id === "microsoft-entra-id")
    const [person] = fixture?.unverifiedProfiles ?? []
    if (!fixture || !person) throw new TypeError("there is no such dialect")
    const { app } = await signInWithTakenEmail(fixture, person, { emailVerified: () => true })
    expect([app.readRows("User").length, app.readRows("Account").length]).toEqual([1, 1])
  })

  test("lets nobody in when what tells its standing fails", async () => {
    const [fixture] = providerFixtures
    if (!fixture) throw new TypeError("there is no dialect")
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
