/** The application that each release ran, and what people did there. */
import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { EmailConfig } from "@latchkey/core/providers"
import { createScriptedProvider, createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { type BrowserName, listCookies, type Recording } from "./recording.ts"

/** The time of all recordings. */
export const recordedTime: number = Date.UTC(2026, 10, 30, 12)

export type Application = Awaited<ReturnType<typeof startApplication>>

/** @param adapter if undefined, sessions are stored in cookies */
export async function startApplication(adapter?: Adapter) {
  const provider = await createScriptedProvider()
  const links: string[] = []
  const email: EmailConfig = {
    id: "email",
    type: "email",
    name: "E-mail",
    from: "latchkey@app.example",
    maxAge: 86_400,
    sendVerificationRequest: ({ url }) => void links.push(url),
  }
  const auth = createAuth({
    secret: "the secret of an application that has been updated",
    trustHost: ["app.example"],
    providers: [provider.asOidc(), ...(adapter ? [email] : [])],
    encryptTokens: adapter !== undefined,
    ...(adapter && { adapter, session: { records: {} } }),
  })
  const openBrowser = (setCookieHeaders: readonly string[] = []): TestBrowser => {
    const browser = createTestBrowser(auth.handle)
    browser.storeCookies(setCookieHeaders)
    return browser
  }
  return { auth, provider, links, openBrowser, adapter }
}

/** Lets people do what is recorded. */
export async function recordActions(application: Application): Promise<Recording> {
  const { provider, links, openBrowser, adapter } = application
  const signedIn = openBrowser()
  await signedIn.signIn(provider)
  const signedOut = openBrowser()
  await signedOut.signIn(provider)
  const lastCookies = listCookies(signedOut)
  await signedOut.signOut()
  const atProvider = openBrowser()
  const authorizationUrl = await atProvider.startSignIn(provider)
  const waiting = openBrowser()
  if (adapter) await waiting.signIn("email", { email: "grace@example.com" })
  const withForm = openBrowser()
  const csrfToken = await withForm.getCsrfToken()
  const browsers: Record<BrowserName, readonly string[]> = {
    "signed in": listCookies(signedIn),
    "signed out": lastCookies,
    "at the provider": listCookies(atProvider),
    "waiting for an e-mail": listCookies(waiting),
    "with an open form": listCookies(withForm),
  }
  const [emailLink = ""] = links
  return {
    time: recordedTime,
    browsers,
    authorizationUrl: authorizationUrl.href,
    emailLink,
    csrfToken,
  }
}
