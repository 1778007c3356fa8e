/** A sign-in that waits for its second factor, presented to everything that an application serves: nothing takes it for a session. */
import { type AuthConfig, createAuth, type LatchkeyAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import passkey from "@latchkey/core/passkeys"
import { recoveryCodes, totp } from "@latchkey/core/second-factor"
import { SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  createScriptedProvider,
  createTestBrowser,
  type FetchHandler,
  type TestBrowser,
} from "@latchkey/testing"
import { expect } from "vitest"
import { checkEach } from "../../../packages/core/test/support/check-each.ts"
import { showCode } from "../../../packages/core/test/support/factor-app.ts"

export const actions: readonly string[] = [
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

const sessionCookie = /^(?:__Secure-)?authjs\.session-token(?:\.\d+)?=(?!;)./

/** A request that is sent with the cookies of a sign-in that waits. */
export interface Attempt {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly form: Record<string, string>
}

/** Lists requests for all actions, and for pages of the application. */
export function listAttempts(basePath = "/auth", pages: readonly string[] = []): Attempt[] {
  const paths = actions.flatMap((action) =>
    providers.flatMap((provider) =>
      queries.map((query) => `${basePath}/${action}${provider}${query}`),
    ),
  )
  const stepUp = `${basePath}/signin/second-factor?step-up=true`
  return [...paths, basePath, stepUp, ...pages].flatMap((path) => [
    { method: "GET", path, form: {} },
    ...forms.map((form) => ({ method: "POST", path, form }) as const),
  ])
}

/** Sends each request with the cookies of a browser whose sign-in waits, and checks that it begins no session. */
export async function expectNoSession(
  pending: TestBrowser,
  attempts: readonly Attempt[],
  openBrowser: () => TestBrowser,
  checkBrowser: (browser: TestBrowser) => unknown,
): Promise<void> {
  const cookies = [...pending.cookies]
  expect(cookies.some(({ name }) => name.includes("pending-sign-in"))).toBe(true)
  const rows = attempts.map(
    (each) => [`${each.method} ${each.path} ${JSON.stringify(each.form)}`, each] as const,
  )
  await checkEach(rows, async ({ method, path, form }) => {
    const browser = openBrowser()
    const security = browser.origin.startsWith("https") ? "; Secure" : ""
    for (const { name, value } of cookies)
      browser.cookies.setUnchecked(browser.origin, `${name}=${value}; Path=/${security}`)
    const response =
      method === "GET"
        ? await browser.fetch(path)
        : await browser.post(path, { csrfToken: await browser.getCsrfToken(), ...form })
    const lines = response.headers.getSetCookie()
    expect(lines.filter((line) => sessionCookie.test(line))).toEqual([])
    expect(await response.text()).not.toContain("grace@example.com")
    await checkBrowser(browser)
  })
}

/** How a package serves an application. */
interface ServedApplication {
  /** A function, or the URL of a server. */
  readonly app: FetchHandler | string
  readonly origin?: string
  readonly basePath?: string
  /** The paths of pages and forms that use the session. */
  readonly pages: readonly string[]
}

/** What the database has of the user. */
const readUser = async (auth: LatchkeyAuth, adapter: Adapter, userId: string) => ({
  factors: await auth.factors.list(userId),
  accounts: await auth.accounts.list(userId),
  passkeys: await adapter.listAuthenticatorsByUserId?.(userId),
})

/** Tests an application of a framework. @param serve mounts the package */
export async function testPendingSignIn(
  serve: (
    config: Pick<AuthConfig, "adapter" | "attemptLimits" | "providers" | "secondFactor" | "secret">,
  ) => ServedApplication | Promise<ServedApplication>,
): Promise<void> {
  const provider = await createScriptedProvider()
  const adapter = SqlAdapter(openSqlite(":memory:"), { migrate: true, secondFactor: true })
  const config = {
    adapter,
    attemptLimits: false,
    providers: [provider.asOidc(), passkey()],
    secondFactor: { methods: [totp(), recoveryCodes()] },
    secret: "a secret of the tests, long enough for it",
    trustHost: true,
    logger: { error() {}, warn() {}, debug() {} },
  } as const satisfies AuthConfig
  const auth = createAuth({ ...config, providers: [...config.providers] })
  const { app, pages, origin, basePath } = await serve({
    ...config,
    providers: [...config.providers],
  })
  const openBrowser = () =>
    createTestBrowser(app, { ...(origin && { origin }), ...(basePath && { basePath }) })
  provider.setUser({ sub: "grace", name: "Grace", email: "grace@example.com" })
  const first = openBrowser()
  await first.signIn(provider)
  expect(await first.getSession()).not.toBeNull()
  const account = await adapter.getUserByAccount({
    provider: provider.id,
    providerAccountId: "grace",
  })
  const input = { userId: account?.id ?? "", session: { createdAt: new Date() } }
  const { secret, setup } = await auth.factors.startTotp(input)
  const code = await showCode(secret)
  expect(await auth.factors.confirmTotp({ ...input, setup, code })).toBeDefined()
  const before = await readUser(auth, adapter, input.userId)
  const pending = openBrowser()
  await pending.signIn(provider)
  const attempts = listAttempts(basePath, pages)
  expect(attempts.length).toBeGreaterThan(1400)
  await expectNoSession(pending, attempts, openBrowser, async (browser) =>
    expect(await browser.getSession()).toBeNull(),
  )
  expect(await readUser(auth, adapter, input.userId)).toEqual(before)
}
