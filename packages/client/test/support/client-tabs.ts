/** Tabs of a real Chromium at an application whose page has the client. */

import type { ReactClient } from "@latchkey/client/react"
import type { Passkeys } from "@latchkey/client/webauthn"
import type { LatchkeyAuth } from "@latchkey/core"
import type { Session } from "@latchkey/core/types"
import { build } from "esbuild"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { type ServedApp, serveApp } from "../../../core/test/support/chromium.ts"

/** The client, as a page's script gets it. */
type ClientModule = typeof import("@latchkey/client")

/** Globals in the pages of the application. */
declare global {
  var latchkey: ClientModule
  var passkeys: Passkeys<Session>
  /** The states that `onSessionChange` reported. */
  var heard: string[]
  /** The functions of `@latchkey/client/react`. */
  var reactAuth: ReactClient
  /** Renders a component that shows the session. */
  var renderSession: () => void
}

/** Serves an application whose page has the client. */
export async function serveClientApp(createEngine: () => LatchkeyAuth): Promise<ServedApp> {
  return serveApp(createEngine, await bundleClient())
}

async function bundleClient(): Promise<string> {
  const contents = `
    import * as latchkey from "@latchkey/client"
    import { createPasskeys } from "@latchkey/client/webauthn"
    globalThis.latchkey = latchkey
    globalThis.passkeys = createPasskeys(latchkey.client)
    import * as reactAuth from "@latchkey/client/react"
    import { createElement } from "react"
    import { createRoot } from "react-dom/client"
    globalThis.heard = []
    globalThis.reactAuth = reactAuth
    function UserName() {
      const { data, status } = reactAuth.useSession()
      return createElement("output", null, status + " " + (data?.user?.name ?? "nobody"))
    }
    globalThis.renderSession = () => {
      const element = document.body.appendChild(document.createElement("main"))
      createRoot(element).render(createElement(reactAuth.SessionProvider, null, createElement(UserName)))
    }
  `
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["@latchkey/source"],
    define: { "process.env.NODE_ENV": '"production"' },
  })
  const [bundle] = outputFiles
  if (!bundle) throw new Error("esbuild wrote nothing")
  return bundle.text
}

/** A user with their own browser. */
export interface ChromiumUser {
  readonly context: BrowserContext
  /** The errors of all tabs. */
  readonly pageErrors: string[]
  /** Opens a page in a new tab, whose script has run. */
  openTab(path?: string): Promise<Page>
}

/** Opens a browser without cookies. */
export async function openChromiumUser(
  browser: Browser,
  { origin }: ServedApp,
): Promise<ChromiumUser> {
  const context = await browser.newContext({ baseURL: origin })
  context.setDefaultTimeout(10_000)
  const pageErrors: string[] = []
  context.on("weberror", (error) => pageErrors.push(`error: ${error.error().message}`))
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) pageErrors.push(`console: ${message.text()}`)
  })
  return {
    context,
    pageErrors,
    async openTab(path = "/") {
      const tab = await context.newPage()
      await tab.goto(path)
      await waitForScript(tab)
      return tab
    },
  }
}

/** Waits until the script of a page has run. */
export async function waitForScript(tab: Page): Promise<void> {
  await tab.waitForFunction(() => globalThis.latchkey !== undefined)
}

/** Records the session changes in a tab: the kind of the state, the user's name, and whether it is stale. */
export async function recordSessionChanges(tab: Page): Promise<void> {
  await tab.evaluate(() => {
    globalThis.latchkey.onSessionChange((state) => {
      const name = state.kind === "signed-in" ? ` ${state.session.user?.name}` : ""
      const stale = "stale" in state && state.stale ? " (stale)" : ""
      globalThis.heard.push(`${state.kind}${name}${stale}`)
    })
  })
}

/** Waits until the last thing that a tab heard is this. */
export async function waitForSessionChange(tab: Page, last: string): Promise<void> {
  await tab.waitForFunction((expected) => globalThis.heard.at(-1) === expected, last)
}
