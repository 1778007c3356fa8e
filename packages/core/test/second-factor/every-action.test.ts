/** A sign-in that waits, presented to every action: none takes it for a session. */
import { isAuthAction } from "@latchkey/core"
import { expect, test } from "vitest"
import {
  actions,
  expectNoSession,
  listAttempts,
} from "../../../../scripts/test/support/pending-sign-in.ts"
import { createFactorSite, type FactorSite, readSession, stopClock } from "../support/factor-app.ts"

stopClock()

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
  expect(actions.filter((action) => action !== "logout" && !isAuthAction(action))).toEqual([])
  const attempts = listAttempts()
  expect(attempts.length).toBeGreaterThan(1400)
  await expectNoSession(
    pending,
    attempts,
    () => site.openBrowser(),
    async (browser) => expect(await readSession(site, browser)).toBeNull(),
  )
  expect(await readUser(site)).toEqual(before)
})
