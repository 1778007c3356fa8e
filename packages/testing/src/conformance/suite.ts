import type { Awaitable } from "@latchkey/core/types"
import { accountCases } from "./accounts.ts"
import { authenticatorCases } from "./authenticators.ts"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { raceCases } from "./races.ts"
import { sessionCases } from "./sessions.ts"
import { userCases } from "./users.ts"
import { verificationTokenCases } from "./verification-tokens.ts"

/** Everything that is promised of adapters. The numbers are those of `protocol.md` section 14. */
export const adapterCases: readonly ConformanceCase[] = [
  ...userCases,
  ...sessionCases,
  ...accountCases,
  ...verificationTokenCases,
  ...raceCases,
  ...authenticatorCases,
]

/** How the suite is run. */
export interface ConformanceOptions {
  /**
   * Registers a test: `test` of Vitest, Jest, `node:test`, `it` of Mocha.
   * @defaultValue the global `test`, or else the global `it`
   */
  test?: (name: string, run: () => Promise<void>) => unknown
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
 * Registers a test for each promise of the adapter contract.
 *
 * @throws TypeError when `skip` names a case that does not exist, or there is nothing to register a test with
 *
 * @example
 * describe("SqlAdapter", () => adapterConformance({ test, connect: () => ({ adapter, db }) }))
 */
export function adapterConformance(options: ConformanceOptions): void {
  const { test = globalTest(), connect, webauthn = false, skip = [] } = options
  const unknown = skip.filter((name) => !adapterCases.some((each) => each.name === name))
  if (unknown.length > 0) throw new TypeError(`skip: there is no case named ${unknown.join(", ")}`)
  for (const { name, group, run } of adapterCases) {
    if (skip.includes(name) || (group === "webauthn" && !webauthn)) continue
    test(name, async () => {
      const context = await connect()
      try {
        await run(context)
      } finally {
        await context.disconnect?.()
      }
    })
  }
}

function globalTest(): NonNullable<ConformanceOptions["test"]> {
  // Runners put theirs there; what else may have these names would not be there while tests are registered.
  const { test, it } = globalThis as { test?: unknown; it?: unknown }
  const found = typeof test === "function" ? test : it
  if (typeof found === "function") return found as NonNullable<ConformanceOptions["test"]>
  throw new TypeError(
    "adapterConformance: give the `test` of your test runner; there is no global one",
  )
}
