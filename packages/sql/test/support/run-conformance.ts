import { adapterCases, type ConformanceContext, testAdapterConformance } from "@latchkey/testing"
import { afterAll, beforeAll, test } from "vitest"
import type { ConnectionFeature, OnFinished } from "./database-kinds/database-kind.ts"

/** Registers the conformance suite on one database, which all cases share: each creates its own records. */
export function runConformance(
  connect: (onFinished: OnFinished) => Promise<ConformanceContext>,
  features: readonly ConnectionFeature[] = [],
): void {
  const resources = new AsyncDisposableStack()
  let context: ConformanceContext
  beforeAll(async () => {
    context = await connect((release) => resources.defer(release))
  })
  afterAll(() => resources.disposeAsync())
  testAdapterConformance({
    test,
    connect: () => context,
    webauthn: true,
    skip: listUnsupportedCases(features),
  })
}

/** Lists the cases that need a connection that the database does not offer. */
function listUnsupportedCases(features: readonly ConnectionFeature[]): string[] {
  const all = ["interrupt", "second", "watchSessionChanges"] as const
  const missing = all.filter((need) => !features.includes(need))
  return adapterCases
    .filter(({ needs = [] }) => missing.some((need) => needs.includes(need)))
    .map(({ name }) => name)
}
