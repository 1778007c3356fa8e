import { migrate } from "@latchkey/sql"
import { describe, expect, test } from "vitest"
import { createAdapter } from "./support/database-kinds/database-kind.ts"
import { databaseKindsWithKysely } from "./support/database-kinds.ts"
import { guessCodes } from "./support/guesses-at-codes.ts"

describe.each(databaseKindsWithKysely)("the code of an e-mail, on $name", (kind) => {
  test("is compared with five guesses at most, of 64 at once in two processes", async () => {
    const opened = await kind.open()
    await migrate(opened.database)
    const second = opened.reconnect?.() ?? opened.database
    const adapters = [opened.database, second].map((database) =>
      createAdapter(kind, { ...opened, database }),
    )
    const { atOnce, ...results } = await guessCodes(adapters)
    expect(atOnce).toBeLessThanOrEqual(5)
    expect(results).toEqual({ inAll: 5, signedIn: false, acceptsCode: false, acceptsLink: true })
  })
})
