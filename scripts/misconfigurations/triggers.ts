/** Requests of a browser that show a mistake. */
import type { TestBrowser } from "@latchkey/testing"
import type { TriggerMistake } from "./misconfiguration.ts"

export const openSignInPage: TriggerMistake = (browser) => browser.open("/auth/signin")

/** Submits a form of the application, with the token that the library's own pages contain. */
async function submitForm(
  browser: TestBrowser,
  path: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  const reply = await browser.fetch("/auth/csrf")
  const { csrfToken = "" } = Object(await reply.json().catch(() => ({})))
  return browser.post(path, { csrfToken, ...fields })
}

export const signInWithProvider: TriggerMistake = async (browser, site) => {
  const response = await submitForm(browser, "/auth/signin/idp")
  const location = response.headers.get("location") ?? ""
  return location === "" || location.startsWith(browser.origin)
    ? response
    : site.authorize(browser, location)
}

export const signInWithPassword: TriggerMistake = (browser) =>
  submitForm(browser, "/auth/callback/credentials", { name: "ada" })

export const readSession: TriggerMistake = async (browser, site) => {
  await signInWithPassword(browser, site)
  return browser.fetch("/auth/session")
}

export const requestEmail: TriggerMistake = (browser) =>
  submitForm(browser, "/auth/signin/nodemailer", { email: "ada@example.com" })
