import { migrate, SqlAdapter } from "@latchkey/sql"
import { describe, expect, test } from "vitest"
import { createTemporaryFile, openTestDatabase } from "./support/sqlite-files.ts"
import { createSignedInUser, newUser } from "./support/test-records.ts"
import { runInWorkers } from "./support/worker-processes.ts"

const token = { identifier: "a@example.test", token: "hash", expires: new Date("2030-01-01") }

describe("two connections to one file", () => {
  test("one of 64 uses of an e-mail token succeeds", async () => {
    const path = createTemporaryFile()
    const adapters = [openTestDatabase(path), openTestDatabase(path)].map((database) =>
      SqlAdapter(database, { migrate: true }),
    )
    await adapters[0]?.createVerificationToken(token)
    const uses = Array.from({ length: 64 }, (_, index) =>
      adapters[index % 2]?.useVerificationToken(token),
    )
    const outcomes = await Promise.all(uses)
    expect(outcomes.filter((outcome) => outcome !== null)).toEqual([token])
  })

  test("deletions on one do not block writes on the other", async () => {
    const path = createTemporaryFile()
    const first = SqlAdapter(openTestDatabase(path), { migrate: true })
    const second = SqlAdapter(openTestDatabase(path), { migrate: true })
    const people = await Promise.all(Array.from({ length: 20 }, () => createSignedInUser(first)))
    await Promise.all([
      ...people.map(async ({ user }) => first.deleteUser(user.id)),
      ...people.map(async () => second.createUser(newUser())),
    ])
    for (const { sessionToken } of people) {
      expect(await second.getSessionAndUser(sessionToken)).toBeNull()
    }
  })
})

describe("several processes on one file", () => {
  test("one of 128 uses of an e-mail token in four processes succeeds", async () => {
    const path = createTemporaryFile()
    const adapter = SqlAdapter(openTestDatabase(path), { migrate: true })
    await adapter.createVerificationToken(token)
    const outcomes = await runInWorkers(path, "useToken", 4)
    expect(outcomes.toSorted()).toEqual([0, 0, 0, 1])
  })

  test("all writes are stored", async () => {
    const path = createTemporaryFile()
    const database = openTestDatabase(path)
    await migrate(database)
    expect(await runInWorkers(path, "createUsers", 3)).toEqual([50, 50, 50])
    const [row] = database.prepare('select count(*) as sessions from "Session"').all()
    expect(row).toMatchObject({ sessions: 150 })
  })
})
