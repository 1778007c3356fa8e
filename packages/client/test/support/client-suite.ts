/** Runs an application with the client, and a browser of its own for each test, in Chromium. */

import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest"
import { launchChromium } from "../../../../scripts/test-setup/launch-chromium.ts"
import { type ClientApp, createClientApp } from "./client-app.ts"
import { type ChromiumUser, openChromiumUser } from "./client-tabs.ts"

/** Members for a test of the client. */
export interface ClientSuite {
  browser: Browser
  site: ClientApp
  user: ChromiumUser
}

/**
 * Sets the members before each test. Pages must not have errors.
 *
 * @param needsWholeBrowser see `launchChromium`
 */
export function openClientSuite(needsWholeBrowser = false): ClientSuite {
  const suite = {} as ClientSuite

  beforeAll(async () => {
    suite.browser = await launchChromium(needsWholeBrowser)
    suite.site = await createClientApp()
  })

  afterAll(async () => {
    await suite.browser.close()
    await suite.site.close()
  })

  beforeEach(async () => {
    suite.site.app.intercept = undefined
    suite.user = await openChromiumUser(suite.browser, suite.site.app)
  })

  afterEach(async () => {
    await suite.user.context.close()
    expect(suite.user.pageErrors).toEqual([])
  })

  return suite
}
