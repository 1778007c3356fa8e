/** A site whose users have second factors, and what their authenticator apps and browsers do. */

import type { AddedFactor } from "@latchkey/core"
import { createAuth, type LatchkeyAuth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import passkey from "@latchkey/core/providers/passkey"
import { recoveryCodes, totp } from "@latchkey/core/second-factor"
import type { TestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, vi } from "vitest"
import { decodeBase32 } from "../../src/flows/second-factor/base32.ts"
import { computeCode } from "../../src/flows/second-factor/totp.ts"
import { createTestSite, type TestSite, type TestSiteConfig } from "./test-site.ts"

export const factorPath = "/auth/signin/second-factor"
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
export interface Enrolment extends AddedFactor {
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

/** Creates a site with every way to sign in. The user has no factor yet. */
export async function createFactorSite(changes: Partial<TestSiteConfig> = {}): Promise<FactorSite> {
  const site = await createTestSite({
    experimental: { enableWebAuthn: true },
    secondFactor: { methods: [totp({ issuer: "Riverside" }), recoveryCodes()] },
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
  Object.assign(site.config, { providers: [oidc, passwords, email, passkey()] })
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

/** Submits a code on the page of the second factor. */
export async function submitFactor(
  browser: TestBrowser,
  code: string,
  method = "totp",
): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  return browser.post(factorPath, { csrfToken, method, code })
}
