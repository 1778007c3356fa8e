import { adapterCases, testAdapterConformance } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { OpenDatabase } from "./support/adapter-setup.ts"
import { adapterSetups } from "./support/adapter-setups.ts"

const cases = adapterCases.filter(({ group }) => group !== "webauthn")

describe.each(adapterSetups)("the conformance suite, on $adapter with $database", (setup) => {
  let database: OpenDatabase

  beforeAll(async () => {
    database = await setup.openDatabase()
  })
  afterAll(() => database[Symbol.asyncDispose]())

  if (!setup.knownFailuresOnly) {
    const skip = Object.keys(setup.knownFailures)
    testAdapterConformance({ test, connect: () => database, skip })
  }

  // Known failures must still fail. Otherwise the list, and the table in the docs, is outdated.
  for (const { name, group, run } of cases.filter((each) => each.name in setup.knownFailures)) {
    test(`fails: ${name}`, async () => {
      // Two requests that should collide may miss each other.
      const runs = group === "race" ? 20 : 1
      expect(await failsOnce(() => run(database), runs)).toBe(true)
    })
  }
})

async function failsOnce(run: () => Promise<void>, runs: number): Promise<boolean> {
  for (let count = 0; count < runs; count++) {
    const failed = await run().then(
      () => false,
      () => true,
    )
    if (failed) return true
  }
  return false
}

describe.each(adapterSetups.filter(({ schemaFixes }) => schemaFixes))(
  "the conformance suite, on $adapter with $database and unique indexes",
  (setup) => {
    let database: OpenDatabase

    beforeAll(async () => {
      database = await setup.openDatabase({ amended: true })
    })
    afterAll(() => database[Symbol.asyncDispose]())

    testAdapterConformance({ test, connect: () => database })
  },
)
