import { adapterCases, adapterConformance } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Opened } from "./support/kind.ts"
import { kinds } from "./support/kinds.ts"

const cases = adapterCases.filter(({ group }) => group !== "webauthn")

describe.each(kinds)("our suite, on $adapter with $database", (kind) => {
  let opened: Opened

  beforeAll(async () => {
    opened = await kind.open()
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  adapterConformance({ test, connect: () => opened, skip: Object.keys(kind.fails) })

  // What is listed as theirs has to be so still: else the list, and the table in the docs, is out of date.
  for (const { name, run } of cases.filter((each) => each.name in kind.fails)) {
    test(`does not keep: ${name}`, () => expect(run(opened)).rejects.toThrow())
  }
})

describe.each(kinds.filter(({ amendment }) => amendment))(
  "our suite, on $adapter with $database and unique indexes",
  (kind) => {
    let opened: Opened

    beforeAll(async () => {
      opened = await kind.open({ amended: true })
    })
    afterAll(() => opened[Symbol.asyncDispose]())

    adapterConformance({ test, connect: () => opened })
  },
)
