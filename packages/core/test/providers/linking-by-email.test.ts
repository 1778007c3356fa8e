import { browser, errorOf, type ScriptedUser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { oauthApp } from "../support/oauth-app.ts"

const ada = { email: "ada@example.com", name: "Ada" }

/** Two providers that both know Ada's address; the second one says of it what the test says. */
async function two(second: ScriptedUser, options: object) {
  const first = await scriptedProvider({ id: "first" })
  const other = await scriptedProvider({ id: "other", issuer: "https://other.example" })
  other.user(second)
  const at = await oauthApp([first.asOidc(), other.asOidc(options)])
  await browser(at.app).signIn(first)
  const again = browser(at.app)
  return { at, again, answer: await again.signIn(other) }
}

const allowed = { allowDangerousEmailAccountLinking: true }

describe("a second provider with the address of a user", () => {
  test("109 is refused by default", async () => {
    const { at, again, answer } = await two({ sub: "x", ...ada, email_verified: true }, {})
    expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
    expect(await again.session()).toBeNull()
    expect(at.rows("Account")).toHaveLength(1)
  })

  test.each([true, undefined])(
    "110 joins the user when it was allowed to, email_verified %s",
    async (verified) => {
      const claims = verified === undefined ? {} : { email_verified: verified }
      const { at, again, answer } = await two({ sub: "x", ...ada, ...claims }, allowed)
      expect(answer.headers.get("location")).toBe("https://app.example")
      expect(await again.session()).toMatchObject({ user: { email: "ada@example.com" } })
      const [user] = at.rows("User")
      expect(at.rows("User")).toHaveLength(1)
      expect(at.rows("Account").map(({ userId }) => userId)).toEqual([user?.["id"], user?.["id"]])
    },
  )

  test("110 is refused when it denies the address, even where allowed", async () => {
    const { at, again, answer } = await two({ sub: "x", ...ada, email_verified: false }, allowed)
    expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
    expect(await again.session()).toBeNull()
    expect(at.rows("Account")).toHaveLength(1)
  })

  const silences: [string, object, string | null][] = [
    ["may have left the denial out", { claims_parameter_supported: true }, "OAuthAccountNotLinked"],
    [
      "may have left the denial out of what is known",
      { claims_parameter_supported: true, claims_supported: ["sub", "email", "email_verified"] },
      "OAuthAccountNotLinked",
    ],
    [
      "has no denial to leave out",
      { claims_parameter_supported: true, claims_supported: ["sub", "email"] },
      null,
    ],
    ["cannot choose", { claims_supported: ["sub", "email", "email_verified"] }, null],
  ]
  test.each(silences)("110 that is not said to be proven, whose person %s", async (...row) => {
    const [, announced, error] = row
    const first = await scriptedProvider({ id: "first" })
    const other = await scriptedProvider({ id: "other", issuer: "https://other.example" })
    other.user({ sub: "x", ...ada })
    other.misbehave({ discovery: (honest) => ({ ...honest, ...announced }) })
    const at = await oauthApp([first.asOidc(), other.asOidc(allowed)])
    await browser(at.app).signIn(first)
    const again = browser(at.app)
    expect(errorOf(await again.signIn(other))).toBe(error)
    expect((await again.session()) === null).toBe(error !== null)
    expect(at.rows("Account")).toHaveLength(error === null ? 2 : 1)
  })

  test("110 is allowed only by true, and may be told in the options", async () => {
    const user = { sub: "x", ...ada, email_verified: true }
    const loose = await two(user, { allowDangerousEmailAccountLinking: "false" })
    expect(errorOf(loose.answer)).toBe("OAuthAccountNotLinked")
    const options = await two(user, { options: allowed })
    expect(options.at.rows("Account")).toHaveLength(2)
  })

  test("114 the same `sub` at two providers is two people", async () => {
    const { at } = await two({ sub: "ada", email: "other-ada@example.com" }, {})
    expect(at.rows("User")).toHaveLength(2)
    expect(at.rows("Account").map(({ providerAccountId }) => providerAccountId)).toEqual([
      "ada",
      "ada",
    ])
  })
})
