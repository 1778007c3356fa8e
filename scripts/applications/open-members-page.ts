import type { TestBrowser } from "@latchkey/testing"
import { vi } from "vitest"
import type { TenantProvider } from "./tenant-provider.ts"

/**
 * Opens the page for members as a browser without scripts does: it leads to a sign-in, the function that is passed signs in,
 * and the page has the name of the user.
 *
 * @throws Error if it does not lead to a sign-in, or does not have the name afterwards
 */
export async function openMembersPage(
  browser: TestBrowser,
  name: string,
  signIn: () => Promise<void>,
): Promise<void> {
  // A development server may not be ready yet. That of Next.js redirects in the page.
  await vi.waitFor(() => loadMembersPage(browser, "signin", name), { timeout: 60_000 })
  await signIn()
  await loadMembersPage(browser, name, "signin")
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

async function loadMembersPage(
  browser: TestBrowser,
  expected: string,
  unexpected: string,
): Promise<void> {
  let response = await browser.open("/members")
  while (response.status >= 300 && response.status < 400)
    response = await browser.followRedirect(response)
  const text = await response.text()
  if (!text.includes(expected) || text.includes(unexpected))
    throw new Error(`/members has no "${expected}", or "${unexpected}": ${response.status} ${text}`)
}
