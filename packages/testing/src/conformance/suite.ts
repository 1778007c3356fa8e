import type { Awaitable } from "@latchkey/core/types"
import { accountCases } from "./accounts.ts"
import { attemptCases } from "./attempts.ts"
import { authenticatorCases } from "./authenticators.ts"
import { type ConformanceCase, type ConformanceContext, findUnmetNeed } from "./context.ts"
import { factorCases } from "./factors.ts"
import { interruptionCases } from "./interruptions.ts"
import { leaseCases } from "./leases.ts"
import { optionalMethodCases } from "./optional-methods.ts"
import { processCases } from "./processes.ts"
import { raceCases } from "./races.ts"
import { sessionChangeCases } from "./session-changes.ts"
import { sessionRecordCases } from "./session-records.ts"
import { sessionCases } from "./sessions.ts"
import { lengthCases } from "./text-lengths.ts"
import { userCases } from "./users.ts"
import { valueCases } from "./values.ts"
import { verificationTokenCases } from "./verification-tokens.ts"

/** All requirements for adapters. */
export const adapterCases: readonly ConformanceCase[] = [
  ...userCases,
  ...sessionCases,
  ...accountCases,
  ...verificationTokenCases,
  ...optionalMethodCases,
  ...leaseCases,
  ...attemptCases,
  ...factorCases,
  ...sessionRecordCases,
  ...sessionChangeCases,
  ...valueCases,
  ...lengthCases,
  ...processCases,
  ...raceCases,
  ...interruptionCases,
  ...authenticatorCases,
]

/** Options of the suite. */
export interface ConformanceOptions {
  /**
   * Registers a test: `test` of Vitest, Jest or `node:test`, `it` of Mocha.
   * @defaultValue the global `test`, or else the global `it`
   */
  test?: (name: string, run: (...runner: readonly unknown[]) => Promise<void>) => unknown
  /** Returns the adapter and a reader of its rows. Called before each case, whose end calls `disconnect`. */
  connect: () => Awaitable<ConformanceContext>
  /**
   * Whether the adapter stores passkeys.
   * @defaultValue false
   */
  webauthn?: boolean
  /** Names of cases that the adapter cannot pass. */
  skip?: readonly string[]
}

/**
 * Registers a test for each requirement of the adapter interface. Cases that need an optional method or member of the
 * context that is missing are skipped with the reason, if the test runner supports it.
 *
 * @throws TypeError if `skip` names an unknown case, or no test function exists
 *
 * @example
 * describe("SqlAdapter", () => testAdapterConformance({ test, connect: () => ({ adapter, db }) }))
 */
export function testAdapterConformance(options: ConformanceOptions): void {
  const { test = findGlobalTest(), connect, webauthn = false, skip = [] } = options
  const unknownNames = skip.filter((name) => !adapterCases.some((each) => each.name === name))
  if (unknownNames.length > 0) throw new TypeError(`skip: unknown case ${unknownNames.join(", ")}`)
  for (const each of adapterCases) {
    const { name, group, run } = each
    if (skip.includes(name) || (group === "webauthn" && !webauthn)) continue
    test(name, async (...[runner]) => {
      const context = await connect()
      try {
        const unmetNeed = findUnmetNeed(context, each)
        if (unmetNeed === undefined) await run(context)
        else skipTest(runner, `without ${unmetNeed}`)
      } finally {
        await context.disconnect?.()
      }
    })
  }
}

/** Skips the running test, which Vitest and `node:test` support. */
function skipTest(runner: unknown, reason: string): void {
  const { skip } = Object(runner) as { skip?: unknown }
  if (typeof skip === "function") skip.call(runner, reason)
}

function findGlobalTest(): NonNullable<ConformanceOptions["test"]> {
  // Test runners define these globals. Nothing else would while tests are being registered.
  const { test, it } = globalThis as { test?: unknown; it?: unknown }
  const found = typeof test === "function" ? test : it
  if (typeof found === "function") return found as NonNullable<ConformanceOptions["test"]>
  throw new TypeError(
    "testAdapterConformance: pass the `test` function of your test runner; there is no global one",
  )
}
