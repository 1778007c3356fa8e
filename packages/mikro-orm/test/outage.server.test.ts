import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import { createInterruptibleConnection } from "@latchkey/testing/adapters"
import { describe, expect, onTestFinished, test } from "vitest"
import { databaseKinds } from "./support/database-kinds.ts"
import { newSession, newUser } from "./support/test-records.ts"

const servers = databaseKinds.filter(({ port }) => port !== undefined)

describe.each(servers)("$name", (kind) => {
  if (kind.unavailableReason !== undefined)
    return test.skip(`no ${kind.name}: ${kind.unavailableReason}`)

  test("an unreachable server does not sign users out", { timeout: 30_000 }, async () => {
    const entities = defineEntities()
    const database = await kind.create(entities)
    onTestFinished(() => database[Symbol.asyncDispose]())
    const connection = await createInterruptibleConnection({ port: kind.port ?? 0 })
    const adapter = MikroOrmAdapter(await database.reconnect(connection.port))
    const { id } = await adapter.createUser(newUser())
    const session = newSession(id)
    await adapter.createSession(session)
    await connection[Symbol.asyncDispose]()
    for (let attempt = 0; attempt < 15; attempt += 1) {
      // More often than the pool has connections, so that none may be lost.
      await expect(adapter.createUser(newUser())).rejects.toMatchObject({ code: "unreachable" })
    }
    await expect(adapter.getSessionAndUser(session.sessionToken)).rejects.toMatchObject({
      code: "unreachable",
      operation: "getSessionAndUser",
    })
  })
})
