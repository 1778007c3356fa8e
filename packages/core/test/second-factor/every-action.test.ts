/** A sign-in that waits, presented to every action: none takes it for a session. */
import { isAuthAction } from "@latchkey/core"
import type { TestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { checkEach } from "../support/check-each.ts"
import {
  createFactorSite,
  type FactorSite,
  readSession,
  stepUpPath,
  stopClock,
} from "../support/factor-app.ts"

stopClock()

const actions = [
  ...["callback", "csrf", "error", "logout", "providers", "session", "signin"],
  // The last one ends the sign-in.
  ...["verify-request", "webauthn-options", "signout"],
]
const providers = ["", "/scripted", "/credentials", "/email", "/passkey", "/nobody"]
const queries = ["", "?callbackUrl=/members", "?action=register&link=true", "?step-up=true"]

/** What a form of a signed-in user would send. */
const forms: readonly Record<string, string>[] = [
  {},
  { data: '{"admin":true}' },
  { link: "true", email: "eve@example.com" },
  { action: "register", data: "{}" },
  { setup: "x", code: "123456" },
]

const sessionCookie = /^__Secure-authjs\.session-token(?:\.\d+)?=(?!;)./

interface Attempt {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly form: Record<string, string>
}

function listAttempts(): Attempt[] {
  const paths = actions.flatMap((action) =>
    providers.flatMap((provider) => queries.map((query) => `/auth/${action}${provider}${query}`)),
  )
  return [...paths, "/auth", stepUpPath].flatMap((path) => [
    { method: "GET", path, form: {} },
    ...forms.map((form) => ({ method: "POST", path, form }) as const),
  ])
}

async function send(browser: TestBrowser, { method, path, form }: Attempt): Promise<Response> {
  if (method === "GET") return browser.fetch(path)
  return browser.post(path, { csrfToken: await browser.getCsrfToken(), ...form })
}

/** What the database has of the user. */
const readUser = async ({ auth, userId, config }: FactorSite) => ({
  factors: await auth.factors.list(userId),
  accounts: await auth.accounts.list(userId),
  passkeys: await config.adapter?.listAuthenticatorsByUserId?.(userId),
})

test.each(["jwt", "database"] as const)("every action refuses it (%s)", async (strategy) => {
  const site = await createFactorSite({ session: { strategy }, attemptLimits: false })
  await site.enrol()
  const before = await readUser(site)
  const pending = site.openBrowser()
  await pending.signIn(site.provider)
  const cookies = [...pending.cookies]
  const attempts = listAttempts()
  expect(actions.filter((action) => action !== "logout" && !isAuthAction(action))).toEqual([])
  expect(attempts.length).toBeGreaterThan(1400)
  const names = attempts.map((each) => [each, `${each.method} ${each.path}`] as const)
  await checkEach(
    names.map(([attempt, name]) => [`${name} ${JSON.stringify(attempt.form)}`, attempt] as const),
    async (attempt) => {
      const browser = site.openBrowser()
      for (const { name, value } of cookies)
        browser.cookies.setUnchecked(browser.origin, `${name}=${value}; Path=/; Secure`)
      const response = await send(browser, attempt)
      const lines = response.headers.getSetCookie()
      expect(lines.filter((line) => sessionCookie.test(line))).toEqual([])
      expect(await readSession(site, browser)).toBeNull()
    },
  )
  expect(await readUser(site)).toEqual(before)
})
