import { describe, expect, test } from "vitest"
import { createAdapter } from "./support/database-kinds/database-kind.ts"
import { databaseKinds } from "./support/database-kinds.ts"
import { createSignedInUser } from "./support/test-records.ts"

const token = { identifier: "a@example.test", token: "hash", expires: new Date("2030-01-01") }

describe.each(databaseKinds)("concurrently, on $name", (kind) => {
  test("one of 64 uses of an e-mail token succeeds", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    await adapter.createVerificationToken(token)
    const uses = Array.from({ length: 64 }, () => adapter.useVerificationToken(token))
    const outcomes = await Promise.all(uses)
    expect(outcomes.filter((outcome) => outcome !== null)).toEqual([token])
  })

  test("one of 64 sign-outs deletes the session", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const { sessionToken } = await createSignedInUser(adapter)
    const ends = Array.from({ length: 64 }, () => adapter.deleteSession(sessionToken))
    const outcomes = await Promise.all(ends)
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1)
  })

  test("thirty users sign in to their own sessions while others are deleted", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const people = await Promise.all(Array.from({ length: 30 }, () => createSignedInUser(adapter)))
    const leaving = people.filter((_, index) => index % 3 === 0)
    const [found] = await Promise.all([
      Promise.all(people.map(({ sessionToken }) => adapter.getSessionAndUser(sessionToken))),
      Promise.all(leaving.map(({ user }) => adapter.deleteUser(user.id))),
    ])
    for (const [index, outcome] of found.entries()) {
      if (outcome) expect(outcome.user).toEqual(people[index]?.user)
    }
    const after = people.map(({ sessionToken }) => adapter.getSessionAndUser(sessionToken))
    const left = (await Promise.all(after)).filter((outcome) => outcome !== null)
    expect(left).toHaveLength(20)
  })
})
