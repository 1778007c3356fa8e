import type { AuthConfig } from "@latchkey/core"
import {
  AccessDenied,
  AuthError,
  CredentialsSignin,
  OAuthAccountNotLinked,
  Verification,
} from "@latchkey/core/errors"
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createLinkingApp } from "../support/linking-app.ts"

type SignInCallback = NonNullable<NonNullable<AuthConfig["callbacks"]>["signIn"]>

class CustomSigninError extends CredentialsSignin {
  override code = "over-quota"
}

class UnknownError extends AuthError {}

/** Signs in with the given `signIn` callback and returns the result. */
async function attemptSignIn(signIn: () => unknown) {
  // Applications in JavaScript may return anything.
  const app = await createLinkingApp({ callbacks: { signIn: signIn as SignInCallback } })
  const browser = app.openBrowser()
  const response = await browser.signIn(app.work)
  return { app, browser, response, to: response.headers.get("location") }
}

const home = "https://app.example"
const rejectWith = (error: unknown) => () => Promise.reject(error)

describe("a `signIn` callback that returns", () => {
  test.each([true, 1, {}])("%j allows the sign-in", async (result) => {
    const { browser, to } = await attemptSignIn(() => result)
    expect(to).toBe(home)
    expect(await browser.getSession()).not.toBeNull()
  })

  test.each([false, undefined, null, 0, ""])(
    "%j refuses the sign-in, and nothing is stored",
    async (result) => {
      const { app, browser, response, to } = await attemptSignIn(() => result)
      assertRefused(response)
      expect(to).toBe(`${home}/auth/error?error=AccessDenied`)
      expect((await browser.followRedirect(response)).status).toBe(403)
      expect(await browser.getSession()).toBeNull()
      expect(app.countRows()).toEqual([0, 0, 0, 0])
    },
  )

  test.each([
    ["/waitlist?from=work", `${home}/waitlist?from=work`],
    [`${home}/waitlist`, `${home}/waitlist`],
    ["https://evil.example/", home],
    ["//evil.example/", home],
    ["javascript:alert(1)", home],
  ])(
    "the string %s redirects the browser within the site without signing in",
    async (result, target) => {
      const { app, browser, to } = await attemptSignIn(() => result)
      expect(to).toBe(target)
      expect(await browser.getSession()).toBeNull()
      expect(app.countRows()).toEqual([0, 0, 0, 0])
    },
  )
})

test("a string passes through the `redirect` callback, which may allow other sites", async () => {
  const received: string[] = []
  const app = await createLinkingApp({
    callbacks: {
      signIn: () => "https://plans.example/upgrade",
      redirect({ url }) {
        received.push(url)
        return url
      },
    },
  })
  const response = await app.openBrowser().signIn(app.work)
  expect(response.headers.get("location")).toBe("https://plans.example/upgrade")
  expect(received).toContain("https://plans.example/upgrade")
})

describe("a `signIn` callback that throws", () => {
  test("an error refuses the sign-in, and is logged with the message of AccessDenied", async () => {
    const { app, browser, response, to } = await attemptSignIn(
      rejectWith(new Error("list of members is gone")),
    )
    assertRefused(response)
    expect(to).toBe(`${home}/auth/error?error=AccessDenied`)
    expect(app.log.errorMessages("AccessDenied")).toEqual(["list of members is gone"])
    expect(await (await browser.followRedirect(response)).text()).not.toContain("list of members")
    expect(await browser.getSession()).toBeNull()
    expect(app.countRows()).toEqual([0, 0, 0, 0])
  })

  test.each([
    ["a string", "members only", "members only"],
    ["nothing", undefined, "undefined"],
    ["an object", { reason: 1 }, "an object"],
  ])("%s that is not an error also refuses the sign-in", async (_, thrown, message) => {
    const { app, response, to } = await attemptSignIn(rejectWith(thrown))
    assertRefused(response)
    expect(to).toBe(`${home}/auth/error?error=AccessDenied`)
    expect(app.log.errorMessages("AccessDenied")).toEqual([message])
  })

  test.each([
    ["AccessDenied", new AccessDenied("no"), "/auth/error?error=AccessDenied"],
    ["Verification", new Verification("no"), "/auth/error?error=Verification"],
    [
      "OAuthAccountNotLinked",
      new OAuthAccountNotLinked("no"),
      "/auth/signin?error=OAuthAccountNotLinked",
    ],
    [
      "a subclass of CredentialsSignin",
      new CustomSigninError(),
      "/auth/signin?error=CredentialsSignin&code=over-quota",
    ],
    ["AuthError itself", new AuthError("no"), "/auth/error?error=Configuration"],
    ["an unknown subclass", new UnknownError("no"), "/auth/error?error=Configuration"],
  ])("%s has its own error page", async (_, error, path) => {
    const { app, browser, response, to } = await attemptSignIn(rejectWith(error))
    assertRefused(response)
    expect(to).toBe(home + path)
    expect(app.log.errorCodes()).toEqual([error.type])
    expect(await browser.getSession()).toBeNull()
    expect(app.countRows()).toEqual([0, 0, 0, 0])
  })
})

test("changes that the callback makes to the user are stored and emitted", async () => {
  const app = await createLinkingApp({
    callbacks: {
      signIn({ user }) {
        user.name = "Ada, renamed"
        return true
      },
    },
  })
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  expect(app.rows("User")).toMatchObject([{ name: "Ada, renamed" }])
})
