import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { having } from "./context.ts"
import {
  anId,
  assertNothing,
  assertRecord,
  aUser,
  inSeconds,
  storedAccount,
  storedSession,
  storedUser,
} from "./records.ts"

/** What an adapter promises about users. */
export const userCases: readonly ConformanceCase[] = [
  {
    name: "1 has the ten core methods",
    group: "core",
    run: async (context) => {
      having(context, "createUser", "getUser", "getUserByEmail", "getUserByAccount", "updateUser")
      having(context, "linkAccount")
      having(context, "createSession", "getSessionAndUser", "updateSession", "deleteSession")
    },
  },
  {
    name: "2 createUser stores what it is given and returns it with its id",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "createUser")
      const unverified = aUser(context, { emailVerified: null, name: null, image: null })
      for (const user of [aUser(context), unverified]) {
        const created = await adapter.createUser({ ...user })
        assert.ok(created.id, "the returned user has an id")
        assertRecord(created, { ...user, id: created.id })
        assertRecord(await context.db.user(created.id), { ...user, id: created.id })
      }
    },
  },
  {
    name: "2 createUser stores any number of users without an address",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "createUser", "getUser")
      // The contract's type asks for an address, but a provider need not have one to give.
      const { email: _, ...nameless } = aUser(context)
      const one = await adapter.createUser({ ...nameless } as ReturnType<typeof aUser>)
      const two = await adapter.createUser({ ...nameless, id: anId(context) } as typeof one)
      assert.notEqual(one.id, two.id)
      for (const { id } of [one, two]) assert.equal((await adapter.getUser(id))?.id, id)
    },
  },
  {
    name: "2 createUser rejects an address that is taken",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "createUser", "getUserByEmail")
      const user = await storedUser(context)
      await assert.rejects(async () => adapter.createUser(aUser(context, { email: user.email })))
      assert.equal((await adapter.getUserByEmail(user.email))?.id, user.id)
    },
  },
  {
    name: "3 getUser finds a user by id, or null",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "getUser")
      const user = await storedUser(context)
      assert.equal(await adapter.getUser(anId(context)), null)
      assertRecord(await adapter.getUser(user.id), user)
    },
  },
  {
    name: "4 getUserByEmail finds a user by address, or null",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "getUserByEmail")
      const user = await storedUser(context)
      assert.equal(await adapter.getUserByEmail(`${randomUUID()}@example.com`), null)
      assertRecord(await adapter.getUserByEmail(user.email), user)
    },
  },
  {
    name: "7 updateUser changes the given fields and no others",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "updateUser")
      const [user, other] = [await storedUser(context), await storedUser(context)]
      const changes = { name: "Updated Name", emailVerified: inSeconds(60) }
      const updated = await adapter.updateUser({ id: user.id, ...changes })
      assertRecord(updated, { ...user, ...changes })
      assertRecord(await context.db.user(user.id), { ...user, ...changes })
      assertRecord(await context.db.user(other.id), other)
    },
  },
  {
    name: "15 has unlinkAccount and deleteUser",
    group: "core",
    run: async (context) => void having(context, "unlinkAccount", "deleteUser"),
  },
  {
    name: "17 deleteUser removes the user with all sessions and accounts, and nobody else's",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "deleteUser")
      const [user, other] = [await storedUser(context), await storedUser(context)]
      const sessions = [
        await storedSession(context, user.id),
        await storedSession(context, user.id),
      ]
      const account = await storedAccount(context, user.id)
      const session = await storedSession(context, other.id)
      const kept = await storedAccount(context, other.id)

      await adapter.deleteUser(user.id)

      assertNothing(await context.db.user(user.id))
      for (const gone of sessions) assertNothing(await context.db.session(gone.sessionToken))
      assertNothing(await context.db.account(account))
      assertRecord(await context.db.user(other.id), other)
      assertRecord(await context.db.session(session.sessionToken), session, ["id"])
      assertRecord(await context.db.account(kept), kept, ["id"])
    },
  },
]
