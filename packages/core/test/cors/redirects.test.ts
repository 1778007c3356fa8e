/** Redirects to trusted origins: by default, the callback URL may lead there. */
import { createScriptedProvider, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasswordApp, type PasswordAppConfig, password } from "../support/password-app.ts"

const trustedOrigins = ["https://front.example", "https://*.tenant.example"]

async function signIn(browser: TestBrowser, callbackUrl: string) {
  const response = await browser.signIn("credentials", { name: "ada", password, callbackUrl })
  return response.headers.get("location")
}

const open = (changes: Partial<PasswordAppConfig> = {}) =>
  createPasswordApp({ trustedOrigins, ...changes }).openBrowser()

describe("the callback URL", () => {
  test.each([
    "https://front.example",
    "https://front.example/notes?page=2#top",
    "https://a.b.tenant.example/",
    "https://app.example/own",
  ])("leads to %s", async (callbackUrl) => {
    expect(await signIn(open(), callbackUrl)).toBe(callbackUrl)
  })

  test.each([
    "https://evil.example/",
    "https://front.example.evil.example/",
    "https://front.example@evil.example/",
    "https://user:word@front.example/",
    "https://evilfront.example/",
    "https://front.example:8443/",
    "http://front.example/",
    "https://tenant.example/",
    "https://evil.example\\.tenant.example/",
    "https://evil.example/.tenant.example",
    "//evil.example/.tenant.example",
    "javascript://front.example/%0aalert(1)",
  ])("does not lead to %s", async (callbackUrl) => {
    expect(await signIn(open(), callbackUrl)).toBe("https://app.example")
  })

  test("does not lead to another origin without `trustedOrigins`", async () => {
    const browser = open({ trustedOrigins: [] })
    expect(await signIn(browser, "https://front.example/")).toBe("https://app.example")
  })

  test("is decided by the `redirect` callback of the application if there is one", async () => {
    const browser = open({ callbacks: { redirect: ({ baseUrl }) => `${baseUrl}/own` } })
    expect(await signIn(browser, "https://front.example/")).toBe("https://app.example/own")
  })
})

test("a sign-in at a provider ends at the trusted origin", async () => {
  const provider = await createScriptedProvider()
  const browser = open({ providers: [provider.asOidc()] })
  const authorizationUrl = await browser.startSignIn(provider, {
    callbackUrl: "https://front.example/inbox",
  })
  const response = await browser.open(provider.approve(authorizationUrl))
  expect(response.headers.get("location")).toBe("https://front.example/inbox")
})
