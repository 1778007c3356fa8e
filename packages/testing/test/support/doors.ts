/** An application on the core, without a database, and what may come of a sign-in there. */
import { Auth, type AuthConfig } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import { assertRefused, type Browser, browser, type ScriptedProvider } from "@latchkey/testing"
import { expect, onTestFinished, vi } from "vitest"

export const origin = "https://app.example"

/** A configuration that lets these providers in, and says nothing. */
export function configuration(providers: Provider[], changes: Partial<AuthConfig> = {}) {
  const logger = { error: () => undefined, warn: () => undefined }
  const secret = "a secret of the application, long enough: 1"
  return { providers, secret, trustHost: true, logger, ...changes } as Omit<AuthConfig, "raw">
}

export function visitorOf(config: Omit<AuthConfig, "raw">): Browser {
  return browser((request) => Auth(request, config))
}

/** Presses the provider's button, and comes back when the provider was reached. */
export async function attempt(visitor: Browser, provider: ScriptedProvider): Promise<Response> {
  const csrfToken = await visitor.csrf()
  const begun = await visitor.post(visitor.path(`signin/${provider.id}`), { csrfToken })
  const to = new URL(begun.headers.get("location") ?? "", origin)
  return to.origin === origin ? begun : visitor.open(provider.approve(to))
}

export async function expectRefused(answer: Response, visitor: Browser): Promise<void> {
  assertRefused(answer)
  expect(await visitor.session()).toBeNull()
}

export async function expectLetIn(answer: Response, visitor: Browser): Promise<void> {
  expect(answer.headers.get("location")).toBe(origin)
  expect(await visitor.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
}

/** Makes what the library waits for fifty times shorter, until the test is over. */
export function hurried(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((limit) => timeout(limit / 50))
  onTestFinished(() => spy.mockRestore())
}
