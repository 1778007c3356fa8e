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

  test("one of 64 tokens with the same key is stored", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const creations = Array.from({ length: 64 }, () => adapter.createVerificationToken(token))
    const outcomes = await Promise.allSettled(creations)
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  test("the highest counter of a passkey is stored", async () => {
    const adapter = createAdapter(kind, await kind.open(), { migrate: true })
    const { user } = await createSignedInUser(adapter)
    const passkey = {
      userId: user.id,
      credentialID: "c",
      providerAccountId: "c",
      credentialPublicKey: "k",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: null,
    }
    await adapter.createAuthenticator(passkey)
    const counters = Array.from({ length: 64 }, (_, index) => ((index * 37) % 64) + 1)
    const updates = counters.map((counter) => adapter.updateAuthenticatorCounter("c", counter))
    for (const [index, updated] of (await Promise.all(updates)).entries())
      expect(updated.counter).toBeGreaterThanOrEqual(counters[index] ?? Infinity)
    const expected = { ...passkey, counter: 64 }
    expect(await adapter.getAuthenticator("c")).toEqual(expected)
    expect(await adapter.updateAuthenticatorCounter("c", 63)).toEqual(expected)
    expect(await adapter.getAuthenticator("c")).toEqual(expected)
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
