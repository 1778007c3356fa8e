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
  /** Registers a test: `test` of Vitest, `node:test` and many others. */
  test: (name: string, run: () => Promise<void>) => unknown
  /** Gives the adapter and its rows; called once for each case. */
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
 * @throws TypeError when `skip` names a case that does not exist
 *
 * @example
 * describe("SqlAdapter", () => adapterConformance({ test, connect: () => ({ adapter, db }) }))
 */
export function adapterConformance(options: ConformanceOptions): void {
  const { test, connect, webauthn = false, skip = [] } = options
  const unknown = skip.filter((name) => !adapterCases.some((each) => each.name === name))
  if (unknown.length > 0) throw new TypeError(`skip: there is no case named ${unknown.join(", ")}`)
  for (const { name, group, run } of adapterCases) {
    if (skip.includes(name) || (group === "webauthn" && !webauthn)) continue
    test(name, async () => run(await connect()))
  }
}
