/** Serves a misconfigured application with Express, and records its log. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setImmediate } from "node:timers/promises"
import { inspect } from "node:util"
import type { MiddlewareAuthConfig } from "@latchkey/express"
import {
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import express from "express"
import { vi } from "vitest"
import { createProxy } from "../../packages/express/test/support/http.ts"
import type { Misconfiguration, Mode, Site } from "./misconfiguration.ts"
import { openSignInPage } from "./triggers.ts"

/** The output in the browser and in the terminal. */
export interface Observation {
  /** The lines of the log. */
  readonly log: readonly string[]
  /** The text of the last page; empty if there was no response. */
  readonly page: string
  readonly status: number
}

/** Starts the provider of a mistake, with its faults. */
export async function startProvider({
  provider = {},
}: Misconfiguration): Promise<ScriptedProvider> {
  const { faults = {}, ...options } = provider
  const scripted = await createScriptedProvider({ id: "idp", ...options })
  await scripted.listen()
  scripted.injectFaults(faults)
  return scripted
}

/** Starts a server whose application is mounted later. */
export async function startServer(): Promise<{ server: Server; origin: string }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Imports the configuration, mounts it, and triggers the mistake. The environment is that of the process. */
export async function observeMistake(
  misconfiguration: Misconfiguration,
  mode: Mode,
  provider: ScriptedProvider,
  loadConfig: () => Promise<MiddlewareAuthConfig>,
  { server, origin }: { readonly server: Server; readonly origin: string },
): Promise<Observation> {
  const { mount, trigger = openSignInPage } = misconfiguration
  const log: string[] = []
  const stopRecording = recordConsole(log)
  // In production, a process that could sign nobody in ends. Other platforms, which have no process, answer.
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never)
  try {
    // Each run has its own copy of the library, as a process does: it logs a problem once.
    vi.resetModules()
    const { MiddlewareAuth } = await import("@latchkey/express")
    const app = express().set("env", mode)
    const auth = MiddlewareAuth({ ...(await loadConfig()) })
    if (mount) mount(app, auth)
    else app.use("/auth", auth)
    server.removeAllListeners("request").on("request", app)
    const browser = openBrowser(misconfiguration.origin, origin)
    const response = await followRedirects(browser, await trigger(browser, createSite(provider)))
    const page = await response.text()
    // Express logs its errors after the response, in this turn of the event loop.
    await setImmediate()
    return { log, page, status: response.status }
  } catch (error) {
    // Errors at startup end the process, with the error on the terminal.
    return { log: [...log, inspect(error)], page: "", status: 0 }
  } finally {
    stopRecording()
    exit.mockRestore()
  }
}

function recordConsole(log: string[]): () => void {
  const { error, warn } = console
  const record = (...parts: unknown[]): void =>
    void log.push(parts.map((part) => (typeof part === "string" ? part : inspect(part))).join(" "))
  console.error = record
  console.warn = record
  return () => {
    console.error = error
    console.warn = warn
  }
}

/** A browser at another origin than the server sends the host of its own. */
function openBrowser(shownOrigin: string | undefined, origin: string): TestBrowser {
  if (shownOrigin === undefined) return createTestBrowser(origin)
  const proxy = createProxy(origin, ({ host }) => ({ host }))
  return createTestBrowser(proxy, { origin: shownOrigin })
}

function createSite(provider: ScriptedProvider): Site {
  return {
    async authorize(browser, authorizationUrl) {
      try {
        return await browser.open(provider.approve(authorizationUrl))
      } catch (error) {
        return new Response(String(error), { status: 400 })
      }
    },
  }
}

const maxRedirects = 5

async function followRedirects(browser: TestBrowser, first: Response): Promise<Response> {
  let response = first
  for (let redirects = 0; redirects < maxRedirects; redirects++) {
    const location = response.headers.get("location")
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null
    if (!isRedirect || new URL(location, browser.origin).origin !== browser.origin) return response
    response = await browser.followRedirect(response)
  }
  return response
}
