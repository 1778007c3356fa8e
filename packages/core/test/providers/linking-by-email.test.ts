import {
  createScriptedProvider,
  createTestBrowser,
  getRedirectError,
  type ScriptedUser,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp } from "../support/oauth-app.ts"

const ada = { email: "ada@example.com", name: "Ada" }

/** Two providers with Ada's address. The test sets the claims of the second one. */
async function signInWithSecondProvider(second: ScriptedUser, options: object) {
  const first = await createScriptedProvider({ id: "first" })
  const other = await createScriptedProvider({ id: "other", issuer: "https://other.example" })
  other.setUser(second)
  const app = await createOAuthApp([first.asOidc(), other.asOidc(options)])
  await createTestBrowser(app.app).signIn(first)
  const again = createTestBrowser(app.app)
  return { app, again, response: await again.signIn(other) }
}

const linkingAllowed = { allowDangerousEmailAccountLinking: true }

describe("a second provider with the address of an existing user", () => {
  test("is refused by default", async () => {
    const { app, again, response } = await signInWithSecondProvider(
      { sub: "x", ...ada, email_verified: true },
      {},
    )
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(await again.getSession()).toBeNull()
    expect(app.readRows("Account")).toHaveLength(1)
  })

  test.each([true, undefined])(
    "is linked if linking is allowed, with email_verified %s",
    async (verified) => {
      const claims = verified === undefined ? {} : { email_verified: verified }
      const { app, again, response } = await signInWithSecondProvider(
        { sub: "x", ...ada, ...claims },
        linkingAllowed,
      )
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

  test("is refused if the address is unverified, even if linking is allowed", async () => {
    const { app, again, response } = await signInWithSecondProvider(
      { sub: "x", ...ada, email_verified: false },
      linkingAllowed,
    )
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(await again.getSession()).toBeNull()
    expect(app.readRows("Account")).toHaveLength(1)
  })

  const discoveries: [string, object, string | null][] = [
    ["lets users choose claims", { claims_parameter_supported: true }, "OAuthAccountNotLinked"],
    [
      "lets users choose among claims with email_verified",
      { claims_parameter_supported: true, claims_supported: ["sub", "email", "email_verified"] },
      "OAuthAccountNotLinked",
    ],
    [
      "does not support email_verified",
      { claims_parameter_supported: true, claims_supported: ["sub", "email"] },
      null,
    ],
    [
      "does not let users choose claims",
      { claims_supported: ["sub", "email", "email_verified"] },
      null,
    ],
  ]
  test.each(discoveries)(
    "without email_verified is linked only if nobody can remove the claim: the provider %s",
    async (...row) => {
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
    },
  )

  test("is linked only if the option is true", async () => {
    const user = { sub: "x", ...ada, email_verified: true }
    const loose = await signInWithSecondProvider(user, {
      allowDangerousEmailAccountLinking: "false",
    })
    expect(getRedirectError(loose.response)).toBe("OAuthAccountNotLinked")
    const options = await signInWithSecondProvider(user, { options: linkingAllowed })
    expect(options.app.readRows("Account")).toHaveLength(2)
  })

  test("is another user for the same `sub`", async () => {
    const { app } = await signInWithSecondProvider(
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
