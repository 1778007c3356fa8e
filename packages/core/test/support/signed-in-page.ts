/** The pages that only a signed-in visitor gets. */
import { Auth } from "@latchkey/core"
import { createTestBrowser } from "@latchkey/testing"
import { type TestSiteConfig, validCredentials } from "./test-site.ts"

/** Opens a page as somebody who has signed in with `passwordProvider`. */
export async function openSignedIn(config: TestSiteConfig, target: string): Promise<Response> {
  const browser = createTestBrowser((request) => Auth(request, config))
  await browser.signIn("credentials", validCredentials)
  return browser.open(target)
}
