/** Signing in from application code: errors are thrown to the caller, not shown in a browser. */
import { Auth, createAuth, raw } from "@latchkey/core"
import {
  AccessDenied,
  CredentialsSignin,
  InvalidEmail,
  TooManyRequests,
} from "@latchkey/core/errors"
import { describe, expect, test } from "vitest"
import { ada, createAuthorizeApp } from "../support/authorize-app.ts"
import { createEmailApp } from "../support/email-app.ts"
import { bob, createLinkingApp } from "../support/linking-app.ts"

const url = "https://app.example/login"
const headers = new Headers()
const sessionCookieName = "__Secure-authjs.session-token"

class Locked extends CredentialsSignin {
  override code = "locked"
}

describe("`signIn` of a compiled configuration", () => {
  test("signs in with credentials without a form, and returns the cookies to set", async () => {
    const app = createAuthorizeApp()
    const options = { name: "ada", redirectTo: "/in" }
    const result = await createAuth(app.config).signIn({ headers, url }, "credentials", {
      fields: options,
    })
    expect(result.redirect).toBe("https://app.example/in")
    expect(result.cookies.map((cookie) => cookie.name)).toContain(sessionCookieName)
    expect(app.authorizeCalls).toEqual([{ name: "ada", callbackUrl: "/in" }])
  })

  test.each([
    ["CredentialsSignin with its code", () => Promise.reject(new Locked()), {}, Locked, "locked"],
    ["CredentialsSignin for null", () => null, {}, CredentialsSignin, "credentials"],
    ["AccessDenied", () => ada, { callbacks: { signIn: () => false } }, AccessDenied, undefined],
    ["TooManyRequests", () => ada, { rateLimit: () => false }, TooManyRequests, undefined],
  ])("throws %s to the caller", async (_, authorize, changes, expected, code) => {
    const { config } = createAuthorizeApp(authorize, changes)
    const asked = createAuth(config).signIn({ headers, url }, "credentials", { fields: {} })
    const error: unknown = await asked.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(expected)
    expect((error as { code?: string }).code).toBe(code)
  })

  test("sends a link by e-mail, and throws if the address is invalid", async () => {
    const app = await createEmailApp()
    const auth = createAuth(app.config)
    const ask = (email: string) =>
      auth.signIn({ headers, url }, "nodemailer", { fields: { email, redirectTo: "/in" } })
    await expect(ask("ada@example.com, bob@example.com")).rejects.toBeInstanceOf(InvalidEmail)
    const { redirect, cookies } = await ask("ada@example.com")
    expect(redirect).toContain("/auth/verify-request?")
    const browser = app.openBrowser()
    for (const { name: key, value } of cookies)
      browser.cookies.setUnchecked(url, `${key}=${value}; Path=/; Secure`)
    const response = await browser.open(app.inbox.getLatestLink())
    expect(response.headers.get("location")).toBe("https://app.example/in")
  })

  test("links an account if it is requested", async () => {
    const app = await createLinkingApp()
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    app.club.setUser(bob)
    const cookie = `${sessionCookieName}=${browser.cookies.get(sessionCookieName)?.value}`
    const { redirect, cookies } = await createAuth(app.config).signIn(
      { headers: new Headers({ cookie }), url },
      "club",
      { fields: { link: true } },
    )
    for (const { name: key, value } of cookies) {
      browser.cookies.setUnchecked(
        url,
        `${key}=${encodeURIComponent(value)}; Path=/; Secure; HttpOnly`,
      )
    }
    await browser.open(app.club.approve(new URL(redirect)))
    expect(app.listAccounts()).toHaveLength(2)
    expect(app.rows("User")).toHaveLength(1)
  })
})

test("in `raw` mode, `Auth` throws CredentialsSignin unless the client sends X-Auth-Return-Redirect", async () => {
  const app = createAuthorizeApp(() => Promise.reject(new Locked()))
  const browser = app.openBrowser()
  const csrfToken = await browser.getCsrfToken()
  const request = (extra: Record<string, string> = {}) =>
    new Request("https://app.example/auth/callback/credentials", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        cookie: [...browser.cookies].map((cookie) => `${cookie.name}=${cookie.value}`).join("; "),
        ...extra,
      },
      body: JSON.stringify({ csrfToken, name: "ada" }),
    })
  const asked = (headers = {}) => Auth(request(headers), { ...app.config, raw })
  await expect(asked()).rejects.toBeInstanceOf(Locked)
  const reported = await asked({ "x-auth-return-redirect": "1" })
  expect(reported.redirect).toBe(
    "https://app.example/auth/signin?error=CredentialsSignin&code=locked",
  )
})
