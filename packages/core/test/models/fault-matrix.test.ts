/**
 * Every call that leaves the process fails, at every step of every flow. The calls are found by running the flows. `npm
 * test` runs a sample; with `LATCHKEY_COMPLETE`, each call has each fault. Sites of two kinds have only those calls that the others do not make
 * in the same flow.
 */
import { expect, test } from "vitest"
import { exceptions } from "./fault-matrix/exceptions.ts"
import { runMatrix, type SelectFaults } from "./fault-matrix/run-matrix.ts"

const isComplete = process.env["LATCHKEY_COMPLETE"] !== undefined

/**
 * Functions that no flow calls: those of maintenance, those that only server code causes (`auth.accounts`, `auth.users`), and
 * warnings, which are logged before the first request.
 */
const uncalled = new RegExp(
  [
    "^adapter\\.(countUnprovenUsers|listSessions|deleteExpired|deleteSessions|releaseLease|Symbol)",
    "^adapter\\.(listAccounts|unlinkAccount|deleteAuthenticator)$",
    "^events\\.(unlinkAccount|deleteUser|addFactor|removeFactor)$",
    "^rotation\\.onError$",
    "^logger\\.",
  ].join("|"),
)

/** Debug lines are calls that do not differ, so that one in forty is enough. */
const select: SelectFaults = (name, faults, position) => {
  if (name === "logger.debug" && position % 40 > 0) return []
  if (isComplete) return faults
  return position % 30 > 0
    ? []
    : faults.filter((_, i) => Math.floor(position / 30) % faults.length === i)
}

test("no fault signs anybody in or out, leaves half a user behind or a secret in the log", {
  timeout: 3_600_000,
}, async () => {
  const result = await runMatrix(["database", "jwt", "codec", "plain"], select)
  console.info(`${result.runs} runs with faults`)
  expect(result.unexpected).toEqual([])
  expect(result.runs).toBeGreaterThan(30)
  if (!isComplete) return
  const called = [...result.calls]
  const missing = [...result.functions].filter(
    (name) => !called.some((call) => call.startsWith(name)),
  )
  expect(missing.filter((name) => !uncalled.test(name))).toEqual([])
  expect(exceptions.filter((exception) => !result.usedExceptions.has(exception))).toEqual([])
})
