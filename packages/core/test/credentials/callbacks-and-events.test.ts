import type { AuthConfig, RateLimitAttempt } from "@latchkey/core"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, createAuthorizeApp } from "../support/authorize-app.ts"

const submittedFields = { name: "ada", password: "open sesame" }
const account = { provider: "credentials", type: "credentials", providerAccountId: "ada" }

test("callbacks and events receive the user and the account", async () => {
  const reported: [string, unknown][] = []
  const tell = (name: string) => (message: unknown) =>
    void reported.push([name, structuredClone(message)])
  const callbacks: AuthConfig["callbacks"] = {
    signIn(parameters) {
      tell("signIn callback")(parameters)
      return true
    },
    jwt(parameters) {
      tell("jwt callback")(parameters)
      return parameters.token
    },
  }
  const events = { signIn: tell("signIn event"), createUser: tell("createUser event") }
  const app = createAuthorizeApp(undefined, { callbacks, events })
  await app.openBrowser().signIn("credentials", submittedFields)
  const credentials = { csrfToken: expect.any(String), ...submittedFields }
  const token = { name: ada.name, email: ada.email, sub: "ada" }
  expect(reported).toEqual([
    ["signIn callback", { user: ada, account, credentials }],
    ["jwt callback", { token, user: ada, account, isNewUser: false, trigger: "signIn" }],
    ["signIn event", { user: ada, account }],
  ])
})

describe("the `signIn` callback", () => {
  test("that refuses keeps out a user whose password was correct", async () => {
    const app = createAuthorizeApp(undefined, { callbacks: { signIn: () => false } })
    const browser = app.openBrowser()
    const response = await browser.signIn("credentials", submittedFields)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("AccessDenied")
    expect(await browser.getSession()).toBeNull()
  })

  test("is not called for a wrong password", async () => {
    let asked = 0
    const signIn = () => {
      asked += 1
      return true
    }
    await createAuthorizeApp(() => null, { callbacks: { signIn } })
      .openBrowser()
      .signIn("credentials", submittedFields)
    expect(asked).toBe(0)
  })
})

describe("the `rateLimit` hook", () => {
  test("is called before `authorize`, and the user sees its refusal", async () => {
    const attempts: RateLimitAttempt[] = []
    const app = createAuthorizeApp(undefined, {
      rateLimit(attempt) {
        attempts.push(attempt)
        return false
      },
    })
    const browser = app.openBrowser({ headers: { "x-client": "tablet" } })
    const response = await browser.signIn("credentials", submittedFields)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("TooManyRequests")
    expect(await (await browser.followRedirect(response)).text()).toContain("Too many attempts")
    expect(app.authorizeCalls).toEqual([])
    expect(attempts).toMatchObject([{ action: "credentials", provider: "credentials" }])
    expect(attempts[0]?.request.headers.get("x-client")).toBe("tablet")
  })

  test("is not called for a form of another site", async () => {
    let asked = 0
    const app = createAuthorizeApp(undefined, {
      rateLimit() {
        asked += 1
        return true
      },
    })
    const browser = app.openBrowser()
    assertRefused(await browser.post("/auth/callback/credentials", submittedFields))
    expect(asked).toBe(0)
    expect(app.authorizeCalls).toEqual([])
  })

  test("that fails refuses the sign-in", async () => {
    const rateLimit = () => Promise.reject(new Error("the counter is gone"))
    const app = createAuthorizeApp(undefined, { rateLimit })
    const browser = app.openBrowser()
    assertRefused(await browser.signIn("credentials", submittedFields))
    expect(app.authorizeCalls).toEqual([])
    expect(await browser.getSession()).toBeNull()
  })
})

test("a user whose sign-in is refused stays signed in as before", async () => {
  let authorize = (): unknown => ada
  const app = createAuthorizeApp(() => authorize())
  const browser = app.openBrowser()
  await browser.signIn("credentials", submittedFields)
  for (const refusal of [() => null, () => Promise.reject(new Error("down"))]) {
    authorize = refusal
    assertRefused(await browser.signIn("credentials", submittedFields))
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
  }
})
