import type { Awaitable } from "@latchkey/core/types"
import { accountCases } from "./accounts.ts"
import { authenticatorCases } from "./authenticators.ts"
import { type ConformanceCase, type ConformanceContext, findUnmetNeed } from "./context.ts"
import { interruptionCases } from "./interruptions.ts"
import { leaseCases } from "./leases.ts"
import { optionalMethodCases } from "./optional-methods.ts"
import { processCases } from "./processes.ts"
import { raceCases } from "./races.ts"
import { sessionCases } from "./sessions.ts"
import { lengthCases } from "./text-lengths.ts"
import { userCases } from "./users.ts"
import { valueCases } from "./values.ts"
import { verificationTokenCases } from "./verification-tokens.ts"

/** Everything that is promised of adapters. The numbers are those of `protocol.md` section 14. */
export const adapterCases: readonly ConformanceCase[] = [
  ...userCases,
  ...sessionCases,
  ...accountCases,
  ...verificationTokenCases,
  ...optionalMethodCases,
  ...leaseCases,
  ...valueCases,
  ...lengthCases,
  ...processCases,
  ...raceCases,
  ...interruptionCases,
  ...authenticatorCases,
]

/** How the suite is run. */
export interface ConformanceOptions {
  /**
   * Registers a test: `test` of Vitest, Jest, `node:test`, `it` of Mocha.
   * @defaultValue the global `test`, or else the global `it`
   */
  test?: (name: string, run: (...runner: readonly unknown[]) => Promise<void>) => unknown
  /** Gives the adapter and its rows; called once for each case, which calls its `disconnect` when it is over. */
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
 * Registers a test for each promise of the adapter contract. What cannot be tried, because the adapter lacks a method
 * that is optional or `connect` does not give what it takes, is skipped with the reason, where the runner can do that.
 *
 * @throws TypeError when `skip` names a case that does not exist, or there is nothing to register a test with
 *
 * @example
 * describe("SqlAdapter", () => adapterConformance({ test, connect: () => ({ adapter, db }) }))
 */
export function testAdapterConformance(options: ConformanceOptions): void {
  const { test = findGlobalTest(), connect, webauthn = false, skip = [] } = options
  const unknownNames = skip.filter((name) => !adapterCases.some((each) => each.name === name))
  if (unknownNames.length > 0)
    throw new TypeError(`skip: there is no case named ${unknownNames.join(", ")}`)
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

/** Vitest and `node:test` give a test the means to skip itself. */
function skipTest(runner: unknown, reason: string): void {
  const { skip } = Object(runner) as { skip?: unknown }
  if (typeof skip === "function") skip.call(runner, reason)
}

function findGlobalTest(): NonNullable<ConformanceOptions["test"]> {
  // Runners put theirs there; what else may have these names would not be there while tests are registered.
  const { test, it } = globalThis as { test?: unknown; it?: unknown }
  const found = typeof test === "function" ? test : it
  if (typeof found === "function") return found as NonNullable<ConformanceOptions["test"]>
  throw new TypeError(
    "adapterConformance: give the `test` of your test runner; there is no global one",
  )
}
