import type { TestBrowser } from "@latchkey/testing"
import { vi } from "vitest"
import type { TenantProvider } from "./tenant-provider.ts"

/**
 * Opens the page for members as a browser without scripts does: it has the name of the user only after the function that is
 * passed has signed in.
 *
 * @throws Error if it has the name before, or not afterwards
 */
export async function openMembersPage(
  browser: TestBrowser,
  name: string,
  signIn: () => Promise<void>,
): Promise<void> {
  // A development server may not be ready yet.
  const before = await vi.waitFor(() => loadMembersPage(browser), { timeout: 60_000 })
  if (before.includes(name)) throw new Error(`/members has "${name}" before the sign-in: ${before}`)
  await signIn()
  const after = await loadMembersPage(browser)
  if (!after.includes(name)) throw new Error(`/members has no "${name}": ${after}`)
}

/** Signs Ada in at Alder ID. */
export async function signInAtProvider(
  ada: TestBrowser,
  providerId: string,
  provider: TenantProvider,
): Promise<void> {
  const authorizationUrl = await ada.startSignIn(providerId)
  await ada.open(await provider.approve(authorizationUrl), { from: provider.origin })
}

/** Returns the text of the page, or of the sign-in page to which it redirects. @throws Error if it fails */
async function loadMembersPage(browser: TestBrowser): Promise<string> {
  let response = await browser.open("/members")
  while (response.status >= 300 && response.status < 400)
    response = await browser.followRedirect(response)
  const text = await response.text()
  if (response.ok) return text
  throw new Error(`/members answers ${response.status}: ${text}`)
}
