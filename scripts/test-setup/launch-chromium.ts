/** Starts the Chromium of the tests. */
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

/** The same engine without the windows of a browser: a page opens in a third of the time. */
const headlessShell = "/usr/bin/chromium-headless-shell"

/**
 * Starts Chromium: Debian's `chromium-headless-shell` if it is installed, and otherwise the browser whose path is in
 * `LATCHKEY_CHROMIUM`.
 *
 * @param needsWholeBrowser for what the shell lacks, such as pages that going back restores from memory
 * @param switches further arguments of the command
 */
export function launchChromium(
  needsWholeBrowser = false,
  switches: readonly string[] = [],
): Promise<Browser> {
  const wholeBrowser = process.env["LATCHKEY_CHROMIUM"] ?? "/usr/bin/chromium"
  const usesShell = !needsWholeBrowser && existsSync(headlessShell)
  return chromium.launch({
    executablePath: usesShell ? headlessShell : wholeBrowser,
    // Going back restores a page from memory, as in regular browsers.
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...switches,
    ],
  })
}
