/** What people expect to find after an update. */
import { expect } from "vitest"
import type { Application } from "./application.ts"
import type { Recording } from "./recording.ts"

/** Continues what was recorded, with the current version. */
export async function expectContinuity(
  { auth, provider, openBrowser, adapter }: Application,
  { browsers, authorizationUrl, emailLink, csrfToken }: Recording,
): Promise<void> {
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
}
