import { inspect } from "node:util"
import { SqlAdapter } from "@latchkey/sql"
import { createPool } from "mysql2/promise"
import { Pool } from "pg"
import { describe, expect, test } from "vitest"
import { newUser } from "./support/test-records.ts"

describe("an unreachable server", () => {
  const nowhere = "secret-user:secret-word@127.0.0.1:1/nothing"

  test.each([
    ["PostgreSQL", () => new Pool({ connectionString: `postgres://${nowhere}` })],
    ["MariaDB", () => createPool({ uri: `mysql://${nowhere}` })],
  ])("is reported as that, without the password, by %s", async (_, connect) => {
    const adapter = SqlAdapter(connect())
    const error: unknown = await Promise.resolve(adapter.getUser("u")).catch((e: unknown) => e)
    expect(error).toMatchObject({ code: "unreachable", cause: { code: "ECONNREFUSED" } })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("secret")
    await expect(adapter.deleteUser("u")).rejects.toMatchObject({ code: "unreachable" })
    await expect(adapter.createUser(newUser())).rejects.toMatchObject({ code: "unreachable" })
  })
})
