/** Case 126: the application's `signIn` callback decides about passkeys as about everything else. */
import type { AuthConfig } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { assertRefused, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { passkeyHouse } from "../support/passkey-house.ts"

type SignIn = NonNullable<NonNullable<AuthConfig["callbacks"]>["signIn"]>

/** A house whose callback says yes until it is told what to say. */
async function house() {
  let answer: () => unknown = () => true
  const asked: Parameters<SignIn>[0][] = []
  const signIn = ((parameters: Parameters<SignIn>[0]) => {
    asked.push(parameters)
    return answer()
  }) as SignIn
  const made = await passkeyHouse({ callbacks: { signIn } })
  const says = (next: () => unknown) => {
    answer = next
  }
  return { ...made, asked, says }
}

describe.each(["register", "authenticate"])("126 %s", (action) => {
  async function attempt(says: () => unknown) {
    const made = await house()
    const ada = made.person()
    if (action === "authenticate") {
      await ada.register("ada@example.com")
      await ada.browser.signOut()
    }
    const before = [...made.counts().slice(0, 3), made.passkeys().length]
    made.says(says)
    const fields = action === "register" ? { email: "ada@example.com" } : {}
    const answer = await ada.enter({ action, ...fields })
    const after = [...made.counts().slice(0, 3), made.passkeys().length]
    return { ...made, ada, answer, stored: after.map((count, at) => count - (before[at] ?? 0)) }
  }

  test.each([false, null, undefined, ""])(
    "126 %j keeps them out, and stores nothing",
    async (no) => {
      const { ada, answer, stored } = await attempt(() => no)
      assertRefused(answer)
      expect(errorOf(answer)).toBe("AccessDenied")
      expect(await ada.browser.session()).toBeNull()
      expect(stored).toEqual([0, 0, 0, 0])
    },
  )

  test("126 a path leads there, and lets nobody in", async () => {
    const { ada, answer, stored } = await attempt(() => "/waiting-list")
    expect(answer.headers.get("location")).toBe("https://app.example/waiting-list")
    expect(await ada.browser.session()).toBeNull()
    expect(stored).toEqual([0, 0, 0, 0])
  })

  test("126 a foreign address leads home", async () => {
    const { answer } = await attempt(() => "https://evil.example/")
    expect(answer.headers.get("location")).toBe("https://app.example")
  })

  test.each([
    ["Error", () => Promise.reject(new Error("no")), "AccessDenied"],
    ["AuthError", () => Promise.reject(new AuthError("no")), "Configuration"],
  ])("126 an %s keeps them out, and stores nothing", async (_, says, error) => {
    const { ada, answer, stored } = await attempt(says)
    assertRefused(answer)
    expect(errorOf(answer)).toBe(error)
    expect(await ada.browser.session()).toBeNull()
    expect(stored).toEqual([0, 0, 0, 0])
  })
})

test("126 the callback is shown the stored user, or who a new one would be", async () => {
  const { person, asked, passkeys, rows } = await house()
  const ada = person()
  await ada.register("ada@example.com")
  await ada.signIn()
  const account = {
    provider: "passkey",
    type: "webauthn",
    providerAccountId: passkeys()[0]?.credentialID,
  }
  const [first, second] = asked
  expect(first?.user).toMatchObject({ email: "ada@example.com" })
  expect(first?.account).toEqual(account)
  expect(second?.user).toMatchObject({ id: rows("User")[0]?.["id"], email: "ada@example.com" })
  expect(second?.account).toMatchObject(account)
})
