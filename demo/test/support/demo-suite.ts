/** Runs the demo and Chromium for all tests of a file. */

import type { Browser } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import { openTestBrowser, type TestBrowser } from "./browser.ts"
import { type RunningDemo, startDemo, temporaryFolder } from "./demo.ts"

export interface DemoSuite {
  /** The demo, once the tests run. */
  readonly demo: RunningDemo
  /** Opens a browser without cookies, at this demo unless another origin is given. */
  readonly openBrowser: (javaScriptEnabled?: boolean, origin?: string) => Promise<TestBrowser>
}

/**
 * Starts the demo in a folder of its own before the tests, and stops it after them.
 *
 * @param needsWholeBrowser see `launchChromium`
 */
export function useDemo(needsWholeBrowser = false): DemoSuite {
  const folder = temporaryFolder()
  let demo: RunningDemo
  let chromium: Browser

  beforeAll(async () => {
    demo = await startDemo(folder.path)
    chromium = await launchChromium(needsWholeBrowser)
  })

  afterAll(async () => {
    await chromium.close()
    await demo.stop()
    folder[Symbol.dispose]()
  })

  return {
    get demo() {
      return demo
    },
    openBrowser: (javaScriptEnabled, origin = demo.origin) =>
      openTestBrowser(chromium, origin, javaScriptEnabled),
  }
}
