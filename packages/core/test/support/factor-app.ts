/** A site whose users have second factors, and what their authenticator apps and browsers do. */

import {
  type AddedFactor,
  createAuth,
  getSessionInfo,
  type LatchkeyAuth,
  type Session,
  type SessionInfo,
} from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import passkey from "@latchkey/core/providers/passkey"
import { recoveryCodes, type SecondFactorOptions, totp } from "@latchkey/core/second-factor"
import type { TestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, vi } from "vitest"
import { decodeBase32 } from "../../src/flows/second-factor/base32.ts"
import { computeCode } from "../../src/flows/second-factor/hotp.ts"
import { createTestSite, type TestSite, type TestSiteConfig } from "./test-site.ts"

export const factorPath = "/auth/signin/second-factor"
export const stepUpPath: string = `${factorPath}?step-up=true`
export const password = { email: "ada@example.com", word: "sesame" }

export interface FactorSite extends TestSite {
  /** The functions for server code. */
  readonly auth: LatchkeyAuth
  /** A stored user, who has an account of the provider, and can sign in with a password and a link. */
  readonly userId: string
  /** Adds an authenticator app to the user. */
  enrol(): Promise<Enrolment>
}

/** An authenticator app that was added. */
interface Enrolment extends AddedFactor {
  readonly secret: string
}

/** Returns the code that an app shows. @param offset in steps */
export function showCode(secret: string, offset = 0): Promise<string> {
  return computeCode(decodeBase32(secret), Math.floor(Date.now() / 30_000) + offset)
}

/** Keeps a step of codes from ending during the tests of a file: stops the clock in the middle of one. */
export function stopClock(): void {
  beforeEach(() => {
    const step = Math.floor(Date.now() / 30_000)
    vi.useFakeTimers({ toFake: ["Date"], now: step * 30_000 + 15_000 })
  })
  afterEach(() => void vi.useRealTimers())
}

/** An authentication of the person by the application, just now. */
export const justNow = () => ({ createdAt: new Date() })

type FactorSiteConfig = Partial<TestSiteConfig> &
  Pick<Partial<SecondFactorOptions>, "accept" | "require" | "trustDevice">

/** Creates a site with every way to sign in. The user has no factor yet. */
export async function createFactorSite({
  accept,
  require,
  trustDevice,
  ...changes
}: FactorSiteConfig = {}): Promise<FactorSite> {
  const methods = [totp({ issuer: "Riverside" }), recoveryCodes()]
  const site = await createTestSite({
    experimental: { enableWebAuthn: true },
    secondFactor: {
      methods,
      ...(accept && { accept }),
      ...(require && { require }),
      ...(trustDevice && { trustDevice }),
    },
    ...changes,
  })
  const { adapter } = site.config
  if (!adapter?.createUser || !adapter.getUserByEmail) throw new Error("There is no database.")
  const { createUser, getUserByEmail } = adapter
  const passwords = credentials({
    credentials: { email: { label: "Email" }, word: { label: "Word", type: "password" } },
    authorize: async ({ email, word }) =>
      word === password.word ? getUserByEmail(String(email)) : null,
  })
  const [oidc, , email] = site.config.providers
  const { methods: usedMethods } = site.config.secondFactor ?? { methods }
  // With codes by e-mail, nobody signs in by e-mail.
  const links = usedMethods.some(({ id }) => id === "email-codes") ? [] : [email]
  Object.assign(site.config, { providers: [oidc, passwords, ...links, passkey()] })
  const id = crypto.randomUUID()
  const emailVerified = new Date()
  const user = await createUser({ id, name: "Ada", email: password.email, emailVerified })
  await adapter.linkAccount?.({
    userId: user.id,
    type: "oidc",
    provider: site.provider.id,
    providerAccountId: "ada",
  })
  site.provider.setUser({ sub: "ada", name: "Ada", email: password.email, email_verified: true })
  const auth = createAuth(site.config)
  return {
    ...site,
    auth,
    userId: user.id,
    async enrol() {
      const input = { userId: user.id, session: justNow() }
      const { secret, setup } = await auth.factors.startTotp(input)
      // The step of the code is used up: the next sign-in needs a later one. If the step ends just now, the code is too old.
      for (let tries = 0; tries < 2; tries += 1) {
        const code = await showCode(secret, -1)
        const added = await auth.factors.confirmTotp({ ...input, setup, code })
        if (added) return { ...added, secret }
      }
      throw new Error("The code was refused.")
    },
  }
}

/** Submits a code on the page of the second factor: of the sign-in that waits, or of the session. */
export async function submitFactor(
  browser: TestBrowser,
  code: string,
  method = "totp",
  { isStepUp = false, ...fields }: { isStepUp?: boolean } & Record<string, string | boolean> = {},
): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)] as const)
  const form = { csrfToken, method, code, ...Object.fromEntries(texts) }
  return browser.post(isStepUp ? stepUpPath : factorPath, form)
}

/** Returns what the server knows of the session of a browser. */
export async function readSessionInfo(
  site: FactorSite,
  browser: TestBrowser,
): Promise<Partial<SessionInfo> | undefined> {
  const session = await readSession(site, browser)
  return session ? getSessionInfo(session) : undefined
}

/** Returns the session of a browser as server code gets it. */
export async function readSession(site: FactorSite, browser: TestBrowser): Promise<Session | null> {
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const request = { headers: new Headers({ cookie }), url: `${browser.origin}/` }
  return (await site.auth.getSession(request)).session
}
