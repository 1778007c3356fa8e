/** Case 126: the `signIn` callback applies to passkeys as well. */
import type { AuthConfig } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"

type SignInCallback = NonNullable<NonNullable<AuthConfig["callbacks"]>["signIn"]>

/** An application whose callback returns `true` until a test replaces the result. */
async function createApp() {
  let decide: () => unknown = () => true
  const received: Parameters<SignInCallback>[0][] = []
  const signIn = ((parameters: Parameters<SignInCallback>[0]) => {
    received.push(parameters)
    return decide()
  }) as SignInCallback
  const made = await createPasskeyApp({ callbacks: { signIn } })
  const says = (next: () => unknown) => {
    decide = next
  }
  return { ...made, asked: received, says }
}

describe.each(["register", "authenticate"])("%s", (action) => {
  async function attempt(says: () => unknown) {
    const made = await createApp()
    const ada = made.openPasskeyBrowser()
    if (action === "authenticate") {
      await ada.register("ada@example.com")
      await ada.browser.signOut()
    }
    const before = [...made.countRows().slice(0, 3), made.listPasskeys().length]
    made.says(says)
    const fields = action === "register" ? { email: "ada@example.com" } : {}
    const response = await ada.runCeremony({ action, ...fields })
    const after = [...made.countRows().slice(0, 3), made.listPasskeys().length]
    return {
      ...made,
      ada,
      response,
      stored: after.map((count, index) => count - (before[index] ?? 0)),
    }
  }

  test.each([false, null, undefined, ""])(
    "%j refuses the sign-in, and nothing is stored",
    async (no) => {
      const { ada, response, stored } = await attempt(() => no)
      assertRefused(response)
      expect(getRedirectError(response)).toBe("AccessDenied")
      expect(await ada.browser.getSession()).toBeNull()
      expect(stored).toEqual([0, 0, 0, 0])
    },
  )

  test("a path redirects there, and signs nobody in", async () => {
    const { ada, response, stored } = await attempt(() => "/waiting-list")
    expect(response.headers.get("location")).toBe("https://app.example/waiting-list")
    expect(await ada.browser.getSession()).toBeNull()
    expect(stored).toEqual([0, 0, 0, 0])
  })

  test("a URL of another site redirects to the origin", async () => {
    const { response } = await attempt(() => "https://evil.example/")
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test.each([
    ["Error", () => Promise.reject(new Error("no")), "AccessDenied"],
    ["AuthError", () => Promise.reject(new AuthError("no")), "Configuration"],
  ])("an %s refuses the sign-in, and nothing is stored", async (_, says, error) => {
    const { ada, response, stored } = await attempt(says)
    assertRefused(response)
    expect(getRedirectError(response)).toBe(error)
    expect(await ada.browser.getSession()).toBeNull()
    expect(stored).toEqual([0, 0, 0, 0])
  })
})

test("the callback receives the stored user, or the new one", async () => {
  const { openPasskeyBrowser, asked: received, listPasskeys, rows } = await createApp()
  const ada = openPasskeyBrowser()
  await ada.register("ada@example.com")
  await ada.signIn()
  const account = {
    provider: "passkey",
    type: "webauthn",
    providerAccountId: listPasskeys()[0]?.credentialID,
  }
  const [first, second] = received
  expect(first?.user).toMatchObject({ email: "ada@example.com" })
  expect(first?.account).toEqual(account)
  expect(second?.user).toMatchObject({ id: rows("User")[0]?.["id"], name: "ada", email: "" })
  expect(second?.account).toMatchObject(account)
})
