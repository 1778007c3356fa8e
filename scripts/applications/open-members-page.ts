import type { TestBrowser } from "@latchkey/testing"
import type { TenantProvider } from "./tenant-provider.ts"

/**
 * Opens the page for members, which leads to a sign-in, signs in at Alder ID as a browser without scripts does, and returns
 * the page for members.
 *
 * @throws Error if it does not lead to a sign-in
 */
export async function openMembersPage(
  ada: TestBrowser,
  providerId: string,
  provider: TenantProvider,
): Promise<string> {
  const redirect = await ada.open("/members")
  const location = redirect.headers.get("location")
  if (!location?.includes("signin"))
    throw new Error(`/members answers ${redirect.status} ${location}: ${await redirect.text()}`)
  const authorizationUrl = await ada.startSignIn(providerId)
  await ada.open(await provider.approve(authorizationUrl), { from: provider.origin })
  return (await ada.open("/members")).text()
}
