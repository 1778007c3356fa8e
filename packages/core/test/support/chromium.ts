/** A real Chromium at an application on a real port, whose pages have the client and a strict policy. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { LatchkeyAuth } from "@latchkey/core"
import type { Passkeys } from "@latchkey/core/client/webauthn"
import type { Session } from "@latchkey/core/types"
import { build } from "esbuild"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"

/** Starts Chromium; its path comes from LATCHKEY_CHROMIUM. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["LATCHKEY_CHROMIUM"] ?? "/usr/bin/chromium",
    // Going back restores a page from the cache, as in regular browsers.
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"],
  })
}

/** The client, as a page's script gets it. */
type ClientModule = typeof import("@latchkey/core/client")

/** Globals in the pages of the application. */
declare global {
  var latchkey: ClientModule
  var passkeys: Passkeys<Session>
  /** The states that `onSessionChange` reported. */
  var heard: string[]
}

export interface ServedApp {
  readonly origin: string
  /** Handles requests instead of the engine. */
  intercept: ((request: Request) => Response | undefined) | undefined
  close(): Promise<void>
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
].join("; ")

const pageHtml = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,"><h1>A page</h1><script type="module" src="/script.js"></script></html>`

/**
 * Serves an application: the engine under its base path, and the same page everywhere else.
 *
 * @param createEngine is given the origin
 */
export async function serveApp(createEngine: (origin: string) => LatchkeyAuth): Promise<ServedApp> {
  const script = await bundleClient()
  const server = createServer(async (incoming, outgoing) => {
    const request = await toRequest(incoming, origin)
    const { pathname } = new URL(request.url)
    const response = pathname.startsWith(`${auth.basePath}/`)
      ? (application.intercept?.(request) ?? (await auth.handle(request)))
      : createPageResponse(pathname, script)
    for (const [name, value] of response.headers) outgoing.appendHeader(name, value)
    outgoing.writeHead(response.status).end(await response.text())
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const auth = createEngine(origin)
  const application: ServedApp = {
    origin,
    intercept: undefined,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
  return application
}

async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const body = method === "POST" ? { body: await text(incoming) } : {}
  return new Request(new URL(url, origin), { method, headers: entries, ...body })
}

function createPageResponse(pathname: string, script: string): Response {
  if (pathname === "/script.js") {
    return new Response(script, { headers: { "content-type": "text/javascript" } })
  }
  const headers = { "content-type": "text/html", "content-security-policy": contentSecurityPolicy }
  return new Response(pageHtml, { headers })
}

async function bundleClient(): Promise<string> {
  const contents = `
    import * as latchkey from "@latchkey/core/client"
    import { createPasskeys } from "@latchkey/core/client/webauthn"
    globalThis.latchkey = latchkey
    globalThis.passkeys = createPasskeys(latchkey.client)
    globalThis.heard = []
  `
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["@latchkey/source"],
  })
  const [bundle] = outputFiles
  if (!bundle) throw new Error("esbuild wrote nothing")
  return bundle.text
}

/** A user with their own browser. */
export interface ChromiumUser {
  readonly context: BrowserContext
  /** What went wrong in any tab. */
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
