/** The application that each release ran, and what people did there. */
import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { EmailConfig } from "@latchkey/core/providers"
import { recoveryCodes, totp } from "@latchkey/core/second-factor"
import { createScriptedProvider, createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { showCode, submitFactor } from "../../packages/core/test/support/factor-app.ts"
import { type BrowserName, listCookies, type RecordedFactors, type Recording } from "./recording.ts"

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
    ...(adapter && {
      adapter,
      session: { records: {} },
      secondFactor: { methods: [totp(), recoveryCodes()], trustDevice: { maxAge: 86_400 } },
    }),
  })
  const openBrowser = (setCookieHeaders: readonly string[] = []): TestBrowser => {
    const browser = createTestBrowser(auth.handle)
    browser.storeCookies(setCookieHeaders)
    return browser
  }
  return { auth, provider, links, openBrowser, adapter }
}

/** A user with second factors. */
export const lin = { sub: "lin", name: "Lin", email: "lin@example.com", email_verified: true }

/** A passkey of Lin. */
export const linsPasskey = {
  credentialID: "AQID",
  providerAccountId: "lin's key",
  credentialPublicKey: "BAUG",
  counter: 7,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false,
  transports: "usb",
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
  const trusted = openBrowser()
  const pending = openBrowser()
  const factors = adapter && (await recordFactors(application, adapter, trusted, pending))
  const browsers: Record<BrowserName, readonly string[]> = {
    "signed in": listCookies(signedIn),
    "signed out": lastCookies,
    "at the provider": listCookies(atProvider),
    "waiting for an e-mail": listCookies(waiting),
    "with an open form": listCookies(withForm),
    "with a trusted device": listCookies(trusted),
    "waiting for a second factor": listCookies(pending),
  }
  const [emailLink = ""] = links
  return {
    time: recordedTime,
    browsers,
    authorizationUrl: authorizationUrl.href,
    emailLink,
    csrfToken,
    ...(factors && { factors }),
  }
}

/** Lets Lin add second factors, trust a device, and begin to sign in with another one. */
async function recordFactors(
  { auth, provider }: Application,
  adapter: Adapter,
  trusted: TestBrowser,
  pending: TestBrowser,
): Promise<RecordedFactors> {
  provider.setUser(lin)
  await trusted.signIn(provider)
  const userId = String((await adapter.getUserByEmail?.(lin.email))?.id)
  await adapter.createAuthenticator?.({ ...linsPasskey, userId })
  const input = { userId, session: { createdAt: new Date() } }
  const { secret, setup } = await auth.factors.startTotp(input)
  // The code of the step before, so that the current one can be used once more.
  const added = await auth.factors.confirmTotp({
    ...input,
    setup,
    code: await showCode(secret, -1),
  })
  await trusted.signOut()
  await trusted.signIn(provider)
  await submitFactor(trusted, await showCode(secret), "totp", { trustDevice: true })
  await pending.signIn(provider)
  provider.setUser()
  return { secret, recoveryCodes: added?.recoveryCodes ?? [] }
}
