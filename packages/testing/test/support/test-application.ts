/** An application on the core without a database, and assertions about its sign-ins. */
import { Auth, type AuthConfig } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import {
  assertRefused,
  createTestBrowser,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import { expect, onTestFinished, vi } from "vitest"

export const origin = "https://app.example"

/** Creates a configuration with these providers that logs nothing. */
export function createConfig(providers: Provider[], changes: Partial<AuthConfig> = {}) {
  const logger = { error: () => undefined, warn: () => undefined }
  const secret = "a secret of the application, long enough: 1"
  return { providers, secret, trustHost: true, logger, ...changes } as Omit<AuthConfig, "raw">
}

export function createBrowser(config: Omit<AuthConfig, "raw">): TestBrowser {
  return createTestBrowser((request) => Auth(request, config))
}

/** Signs in with the provider, if it can be reached. */
export async function signInWithProvider(
  browser: TestBrowser,
  provider: ScriptedProvider,
): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  const startResponse = await browser.post(browser.getRoutePath(`signin/${provider.id}`), {
    csrfToken,
  })
  const target = new URL(startResponse.headers.get("location") ?? "", origin)
  return target.origin === origin ? startResponse : browser.open(provider.approve(target))
}

export async function expectRefused(response: Response, browser: TestBrowser): Promise<void> {
  assertRefused(response)
  expect(await browser.getSession()).toBeNull()
}

export async function expectSignedIn(response: Response, browser: TestBrowser): Promise<void> {
  expect(response.headers.get("location")).toBe(origin)
  expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
}

/** Makes the timeouts of requests to providers, 10 s, fifty times shorter during the test. */
export function shortenTimeouts(): void {
  const { setTimeout } = globalThis
  vi.stubGlobal("setTimeout", (run: () => void, delay?: number) =>
    setTimeout(run, delay === 10_000 ? delay / 50 : delay),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
}
