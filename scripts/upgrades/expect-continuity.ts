/** Expectations of people after an update. */
import type { Adapter } from "@latchkey/core/adapters"
import { expect } from "vitest"
import { showCode, submitFactor } from "../../packages/core/test/support/factor-app.ts"
import { type Application, lin, linsPasskey } from "./application.ts"
import type { Recording } from "./recording.ts"

/** Continues what was recorded, with the current version. */
export async function expectContinuity(
  application: Application,
  recording: Recording,
): Promise<void> {
  const { auth, provider, openBrowser, adapter } = application
  const { browsers, authorizationUrl, emailLink, csrfToken } = recording
  const signedIn = openBrowser(browsers["signed in"])
  expect(await signedIn.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  expect((await signedIn.updateSession({})).status).toBe(200)
  expect(await signedIn.getSession()).toMatchObject({ user: { email: "ada@example.com" } })

  const atProvider = openBrowser(browsers["at the provider"])
  const grant = provider.approve(new URL(authorizationUrl))
  await atProvider.open(grant)
  expect(await atProvider.getSession(), "back from the provider").not.toBeNull()

  const withForm = openBrowser(browsers["with an open form"])
  const answer = await withForm.post("/auth/signin/scripted", { csrfToken })
  expect(answer.headers.get("location"), "the open form").toMatch(/^https:\/\/idp\.example\//)

  if (!adapter) return
  // Without records, a copy of a cookie session is valid until it expires.
  const signedOut = openBrowser(browsers["signed out"])
  expect(await signedOut.getSession(), "after signing out").toBeNull()
  const waiting = openBrowser(browsers["waiting for an e-mail"])
  await waiting.open(emailLink)
  expect(await waiting.getSession()).toMatchObject({ user: { email: "grace@example.com" } })
  const userId = String((await adapter.getUserByEmail?.("ada@example.com"))?.id)
  const { accessToken } = await auth.getAccessToken({ userId }, "scripted")
  expect(accessToken, "a token that was sealed").toMatch(/./)
  expect(await auth.sessions.list(userId)).toHaveLength(2)
  await expectFactors(application, adapter, recording)
}

/** The second factors of Lin, a trusted device, and a sign-in that waits for a code. */
async function expectFactors(
  { provider, openBrowser }: Application,
  adapter: Adapter,
  { browsers, factors }: Recording,
): Promise<void> {
  if (!factors) throw new Error("The recording has no second factors.")
  provider.setUser(lin)
  const trusted = openBrowser(browsers["with a trusted device"])
  expect(await trusted.getSession(), "a session with a second factor").not.toBeNull()
  await trusted.signOut()
  await trusted.signIn(provider)
  expect(await trusted.getSession(), "on a trusted device").not.toBeNull()

  const pending = openBrowser(browsers["waiting for a second factor"])
  await submitFactor(pending, await showCode(factors.secret))
  expect(await pending.getSession(), "after the code of an app").not.toBeNull()

  const other = openBrowser()
  await other.signIn(provider)
  expect(await other.getSession(), "before the second factor").toBeNull()
  await submitFactor(other, String(factors.recoveryCodes[0]), "recovery-codes")
  expect(await other.getSession(), "after a recovery code").not.toBeNull()
  expect(await adapter.getAuthenticator?.(linsPasskey.credentialID)).toMatchObject(linsPasskey)
}
