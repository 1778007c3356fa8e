/** Scenarios of people, their browsers and their providers, which show the kinds of requests and responses. */
import { createVirtualAuthenticator } from "@latchkey/testing/authenticator"
import type { TestBrowser } from "@latchkey/testing/browser"
import { decodeBase32 } from "../../packages/core/src/flows/second-factor/base32.ts"
import { computeCode } from "../../packages/core/src/flows/second-factor/hotp.ts"
import type { RecordedSite } from "./recorded-site.ts"

type Scenario = (site: RecordedSite, openBrowser: () => TestBrowser) => Promise<void>

const returnRedirect = { headers: { "x-auth-return-redirect": "1" } }

/** The scenarios by their titles. A later one finds the users of an earlier one. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  async "Without a session"(_site, openBrowser) {
    const browser = openBrowser()
    for (const path of ["", "/csrf", "/providers", "/session", "/signin", "/signout", "/error"])
      await browser.open(`/auth${path}`)
    await browser.open("/auth/unknown")
    await browser.post("/auth/csrf")
  },

  async "Sign-in with a provider"({ provider }, openBrowser) {
    const browser = openBrowser()
    await browser.signIn(provider, { callbackUrl: "/members" })
    await browser.open("/auth")
    await browser.open("/auth/signin")
    const csrfToken = await browser.getCsrfToken()
    await browser.fetch("/auth/signin/provider", {
      method: "POST",
      body: { csrfToken },
      ...returnRedirect,
    })
  },

  async "Refused by or at the provider"({ provider }, openBrowser) {
    const browser = openBrowser()
    await browser.open(provider.deny(await browser.startSignIn(provider)))
    await browser.open("/auth/callback/provider?code=a&state=b")
    await browser.open("/auth/signin?error=OAuthCallbackError")
    await browser.open("/auth/error?error=AccessDenied")
    await browser.open("/auth/callback/nobody")
    await browser.post("/auth/signin/provider", {})
    await linkForeignAccount(openBrowser(), provider)
  },

  async "A session"({ provider }, openBrowser) {
    const browser = openBrowser()
    await browser.signIn(provider)
    await browser.getSession()
    await browser.updateSession({ name: "Ada" })
    await browser.open("/auth/signout")
    await browser.startSignIn(provider, { link: "true", callbackUrl: "/account" })
    await browser.signOut({ callbackUrl: "/" })
    await browser.signIn(provider, { rememberMe: "true" })
    const csrfToken = await browser.getCsrfToken()
    await browser.fetch("/auth/signout", { method: "POST", body: { csrfToken }, ...returnRedirect })
  },

  async "Sign-in with a password"(_site, openBrowser) {
    const browser = openBrowser()
    const csrfToken = await browser.getCsrfToken()
    const user = { csrfToken, email: "ada@example.com" }
    await browser.post("/auth/callback/credentials", { ...user, password: "wrong" })
    await browser.open("/auth/signin?error=CredentialsSignin&code=credentials")
    const body = { ...user, password: "sesame" }
    await browser.fetch("/auth/callback/credentials", { method: "POST", body, ...returnRedirect })
  },

  async "Sign-in by e-mail"({ email }, openBrowser) {
    const browser = openBrowser()
    await browser.signIn("email", { email: "nobody" })
    const waiting = await browser.signIn("email", { email: "grace@example.com" })
    await browser.followRedirect(waiting)
    const asJson = { headers: { accept: "application/json" } }
    await browser.fetch("/auth/verify-request?continue=true", asJson)
    const csrfToken = await browser.getCsrfToken()
    await browser.post("/auth/callback/email", { csrfToken, code: "nonsense" })
    await browser.post("/auth/callback/email", { csrfToken, code: email.getSent().code })
    const reader = openBrowser()
    await reader.signIn("email", { email: "grace@example.com" })
    const { url } = email.getSent()
    await reader.open(url)
    await reader.open(url)
    await reader.fetch("/auth/verify-request?continue=true", asJson)
    await openBrowser().open(url)
  },

  async "A passkey"({ provider }, openBrowser) {
    const device = createVirtualAuthenticator()
    const browser = openBrowser()
    await browser.signIn(provider)
    await browser.open("/auth/webauthn-options/passkey")
    const path = "/auth/webauthn-options/passkey?action=register"
    const { options } = await (await browser.fetch(path)).json()
    const added = JSON.stringify(await device.create(options, browser.origin))
    await browser.post("/auth/callback/passkey", { action: "register", data: added })
    const returning = openBrowser()
    const asked = await returning.fetch("/auth/webauthn-options/passkey?action=authenticate")
    const data = JSON.stringify(await device.get((await asked.json()).options, returning.origin))
    await returning.post("/auth/callback/passkey", { action: "authenticate", data: "{}" })
    await returning.post("/auth/callback/passkey", { action: "authenticate", data })
  },

  async "The second factor"({ auth, adapter, provider }, openBrowser) {
    const browser = openBrowser()
    await browser.signIn(provider)
    await browser.open("/auth/signin/second-factor?step-up=true&add=true")
    const user = await adapter.getUserByEmail?.("ada@example.com")
    const input = { userId: user?.id ?? "", session: { createdAt: new Date() } }
    const { secret, setup } = await auth.factors.startTotp(input)
    await auth.factors.confirmTotp({ ...input, setup, code: await showCode(secret, -1) })
    const returning = openBrowser()
    await returning.followRedirect(await returning.signIn(provider))
    await submitCode(returning, "nonsense")
    await submitCode(returning, await showCode(secret))
    await returning.open("/auth/signin/second-factor?step-up=true")
    // Twice as many as anybody may make: the browser has attempts of its own, too.
    for (let tries = 0; tries < 12; tries += 1)
      await submitCode(returning, "000000", "?step-up=true")
  },

  async "Logout by the provider"({ provider }, openBrowser) {
    const browser = openBrowser()
    await browser.open("/auth/logout/provider")
    await browser.open("/auth/logout/provider?sid=a&iss=b")
    await browser.open(`/auth/logout/provider?sid=a&iss=${provider.issuer}`)
    // From its server, without cookies.
    const post = async (logout_token: string) =>
      openBrowser().post("/auth/logout/provider", { logout_token })
    await post("a")
    await post(await provider.createLogoutToken({ sid: "a" }))
  },

  async "A provider that posts its response"({ formProvider }, openBrowser) {
    formProvider.setUser({ sub: "carol", email: "carol@example.com", email_verified: true })
    await openBrowser().signIn(formProvider)
  },

  async "Too many attempts"(_site, openBrowser) {
    const browser = openBrowser()
    const csrfToken = await browser.getCsrfToken()
    const body = { csrfToken, email: "grace@example.com", password: "wrong" }
    for (let tries = 0; tries < 6; tries += 1)
      await browser.fetch("/auth/callback/credentials", { method: "POST", body, ...returnRedirect })
    await browser.post("/auth/callback/credentials", body)
  },

  async "A page of another origin that is trusted"({ trustedOrigin }, openBrowser) {
    const browser = openBrowser()
    const fromOther = { from: trustedOrigin, headers: { origin: trustedOrigin } }
    await browser.fetch("/auth/session", { method: "OPTIONS", ...fromOther })
    await browser.fetch("/auth/session", fromOther)
  },
}

/** Signs in with an account whose address belongs to somebody else, and so cannot be linked. */
async function linkForeignAccount(
  browser: TestBrowser,
  provider: RecordedSite["provider"],
): Promise<void> {
  provider.setUser({ sub: "mallory", email: "ada@example.com", email_verified: false })
  await browser.signIn(provider)
  provider.setUser()
}

/** Returns the code that an authenticator app shows. @param offset in steps of 30 seconds */
function showCode(secret: string, offset = 0): Promise<string> {
  return computeCode(decodeBase32(secret), Math.floor(Date.now() / 30_000) + offset)
}

async function submitCode(browser: TestBrowser, code: string, query = ""): Promise<void> {
  const csrfToken = await browser.getCsrfToken()
  await browser.post(`/auth/signin/second-factor${query}`, { csrfToken, method: "totp", code })
}
