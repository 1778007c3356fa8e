import {
  createScriptedProvider,
  createTestBrowser,
  getRedirectError,
  type ScriptedUser,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp } from "../support/oauth-app.ts"

const ada = { email: "ada@example.com", name: "Ada" }

/** Two providers that both know Ada's address; the second one says of it what the test says. */
async function signInWithSecondProvider(second: ScriptedUser, options: object) {
  const first = await createScriptedProvider({ id: "first" })
  const other = await createScriptedProvider({ id: "other", issuer: "https://other.example" })
  other.setUser(second)
  const app = await createOAuthApp([first.asOidc(), other.asOidc(options)])
  await createTestBrowser(app.app).signIn(first)
  const again = createTestBrowser(app.app)
  return { at: app, again, answer: await again.signIn(other) }
}

const linkingAllowed = { allowDangerousEmailAccountLinking: true }

describe("a second provider with the address of a user", () => {
  test("109 is refused by default", async () => {
    const {
      at: app,
      again,
      answer: response,
    } = await signInWithSecondProvider({ sub: "x", ...ada, email_verified: true }, {})
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(await again.getSession()).toBeNull()
    expect(app.readRows("Account")).toHaveLength(1)
  })

  test.each([true, undefined])(
    "110 joins the user when it was allowed to, email_verified %s",
    async (verified) => {
      const claims = verified === undefined ? {} : { email_verified: verified }
      const {
        at: app,
        again,
        answer: response,
      } = await signInWithSecondProvider({ sub: "x", ...ada, ...claims }, linkingAllowed)
      expect(response.headers.get("location")).toBe("https://app.example")
      expect(await again.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
      const [user] = app.readRows("User")
      expect(app.readRows("User")).toHaveLength(1)
      expect(app.readRows("Account").map(({ userId }) => userId)).toEqual([
        user?.["id"],
        user?.["id"],
      ])
    },
  )

  test("110 is refused when it denies the address, even where allowed", async () => {
    const {
      at: app,
      again,
      answer: response,
    } = await signInWithSecondProvider({ sub: "x", ...ada, email_verified: false }, linkingAllowed)
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(await again.getSession()).toBeNull()
    expect(app.readRows("Account")).toHaveLength(1)
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
    const first = await createScriptedProvider({ id: "first" })
    const other = await createScriptedProvider({ id: "other", issuer: "https://other.example" })
    other.setUser({ sub: "x", ...ada })
    other.injectFaults({ discovery: (honest) => ({ ...honest, ...announced }) })
    const app = await createOAuthApp([first.asOidc(), other.asOidc(linkingAllowed)])
    await createTestBrowser(app.app).signIn(first)
    const again = createTestBrowser(app.app)
    expect(getRedirectError(await again.signIn(other))).toBe(error)
    expect((await again.getSession()) === null).toBe(error !== null)
    expect(app.readRows("Account")).toHaveLength(error === null ? 2 : 1)
  })

  test("110 is allowed only by true, and may be told in the options", async () => {
    const user = { sub: "x", ...ada, email_verified: true }
    const loose = await signInWithSecondProvider(user, {
      allowDangerousEmailAccountLinking: "false",
    })
    expect(getRedirectError(loose.answer)).toBe("OAuthAccountNotLinked")
    const options = await signInWithSecondProvider(user, { options: linkingAllowed })
    expect(options.at.readRows("Account")).toHaveLength(2)
  })

  test("114 the same `sub` at two providers is two people", async () => {
    const { at: app } = await signInWithSecondProvider(
      { sub: "ada", email: "other-ada@example.com" },
      {},
    )
    expect(app.readRows("User")).toHaveLength(2)
    expect(app.readRows("Account").map(({ providerAccountId }) => providerAccountId)).toEqual([
      "ada",
      "ada",
    ])
  })
})
