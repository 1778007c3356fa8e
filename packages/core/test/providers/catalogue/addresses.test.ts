import { browser, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { claimed, type Dialect, type Person } from "./dialect.ts"
import { dialects } from "./dialects.ts"
import { stand } from "./stand.ts"

/** Somebody has the address already, and the application lets the provider's addresses join. */
async function second(dialect: Dialect, person: Person, options: object = {}) {
  const joining = { allowDangerousEmailAccountLinking: true, ...options }
  const setting = await stand(dialect, person, joining)
  await setting.at.config.adapter?.createUser?.({
    id: "first",
    email: claimed,
    emailVerified: null,
  })
  const answer = await setting.signIn()
  return { ...setting, answer }
}

const cases = (kind: "denied" | "believed") =>
  dialects.flatMap((dialect) =>
    (dialect[kind] ?? []).map((person, index) => ({ id: dialect.id, index, dialect, person })),
  )

describe("an address", () => {
  test.each(cases("denied"))(
    "110 that $id has not proven joins nobody, even where allowed ($index)",
    async ({ dialect, person }) => {
      const { at, alice, answer } = await second(dialect, person)
      expect(errorOf(answer), at.log()).toBe("OAuthAccountNotLinked")
      expect(await alice.session()).toBeNull()
      expect([at.rows("User").length, at.rows("Account").length]).toEqual([1, 0])
    },
  )

  test.each(cases("denied"))(
    "111 that $id has not proven is nobody's, where addresses are identities ($index)",
    async ({ dialect, person }) => {
      const setting = await stand(dialect, person, { allowDangerousEmailAccountLinking: true })
      await setting.signIn()
      expect(setting.at.rows("User")).toMatchObject([{ email: null }])
    },
  )

  test.each(cases("believed"))(
    "110 that $id does not deny joins where allowed, and only there ($index)",
    async ({ dialect, person }) => {
      const joined = await second(dialect, person)
      expect(joined.answer.headers.get("location"), joined.at.log()).toBe("https://app.example")
      expect(joined.at.rows("Account")).toMatchObject([
        { userId: joined.at.rows("User")[0]?.["id"] },
      ])
      expect(joined.at.rows("User")).toHaveLength(1)
      const refused = await second(dialect, person, { allowDangerousEmailAccountLinking: false })
      expect(errorOf(refused.answer)).toBe("OAuthAccountNotLinked")
    },
  )

  test("that the application vouches for itself counts as it says", async () => {
    const dialect = dialects.find(({ id }) => id === "microsoft-entra-id")
    const [person] = dialect?.denied ?? []
    if (!dialect || !person) throw new TypeError("there is no such dialect")
    const { at } = await second(dialect, person, { emailVerified: () => true })
    expect([at.rows("User").length, at.rows("Account").length]).toEqual([1, 1])
  })

  test("lets nobody in when what tells its standing fails", async () => {
    const [dialect] = dialects
    if (!dialect) throw new TypeError("there is no dialect")
    const emailVerified = () => {
      throw new TypeError("cannot tell")
    }
    const { at, alice, signIn } = await stand(dialect, dialect.full, { emailVerified })
    await signIn()
    expect(await alice.session()).toBeNull()
    expect(at.rows("User")).toEqual([])
    expect(await browser(at.app).session()).toBeNull()
    expect(at.log()).toContain("OAuthProfileParseError")
  })
})
