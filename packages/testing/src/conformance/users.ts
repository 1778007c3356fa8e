import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  assertNoRow,
  assertRecordEquals,
  buildId,
  buildUser,
  secondsFromNow,
  storeAccount,
  storeSession,
  storeUser,
} from "./record-fixtures.ts"

/** Requirements for users. */
export const userCases: readonly ConformanceCase[] = [
  {
    name: "the ten core methods exist",
    group: "core",
    run: async (context) => {
      requireMethods(
        context,
        "createUser",
        "getUser",
        "getUserByEmail",
        "getUserByAccount",
        "updateUser",
      )
      requireMethods(context, "linkAccount")
      requireMethods(
        context,
        "createSession",
        "getSessionAndUser",
        "updateSession",
        "deleteSession",
      )
    },
  },
  {
    name: "createUser stores a user and returns it with its id",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createUser")
      const unverified = buildUser(context, { emailVerified: null, name: null, image: null })
      for (const user of [buildUser(context), unverified]) {
        const created = await adapter.createUser({ ...user })
        assert.ok(created.id, "the returned user has an id")
        assertRecordEquals(created, { ...user, id: created.id })
        assertRecordEquals(await context.db.user(created.id), { ...user, id: created.id })
      }
    },
  },
  {
    name: "createUser stores any number of users without an address",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createUser", "getUser")
      // The type requires an address, but some providers return none.
      const { email: _, ...nameless } = buildUser(context)
      const one = await adapter.createUser({ ...nameless } as ReturnType<typeof buildUser>)
      const two = await adapter.createUser({ ...nameless, id: buildId(context) } as typeof one)
      assert.notEqual(one.id, two.id)
      for (const { id } of [one, two]) assert.equal((await adapter.getUser(id))?.id, id)
    },
  },
  {
    name: "createUser rejects an address that is taken",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createUser", "getUserByEmail")
      const user = await storeUser(context)
      await assert.rejects(async () =>
        adapter.createUser(buildUser(context, { email: user.email })),
      )
      assert.equal((await adapter.getUserByEmail(user.email))?.id, user.id)
    },
  },
  {
    name: "getUser returns a user by id, or null",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "getUser")
      const user = await storeUser(context)
      assert.equal(await adapter.getUser(buildId(context)), null)
      assertRecordEquals(await adapter.getUser(user.id), user)
    },
  },
  {
    name: "getUserByEmail returns a user by address, or null",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "getUserByEmail")
      const user = await storeUser(context)
      assert.equal(await adapter.getUserByEmail(`${randomUUID()}@example.com`), null)
      assertRecordEquals(await adapter.getUserByEmail(user.email), user)
    },
  },
  {
    name: "getUserByEmail finds no user without an address for an empty one",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createUser", "getUserByEmail")
      const { email: _, ...nameless } = buildUser(context)
      const { id } = await adapter.createUser({ ...nameless } as ReturnType<typeof buildUser>)
      assert.notEqual((await adapter.getUserByEmail(""))?.id, id)
    },
  },
  {
    name: "updateUser changes only the given fields",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "updateUser")
      const [user, other] = [await storeUser(context), await storeUser(context)]
      let expected = user
      for (const change of [{ name: "Updated Name" }, { emailVerified: secondsFromNow(60) }]) {
        expected = { ...expected, ...change }
        assertRecordEquals(await adapter.updateUser({ id: user.id, ...change }), expected)
        assertRecordEquals(await context.db.user(user.id), expected)
      }
      assertRecordEquals(await context.db.user(other.id), other)
    },
  },
  {
    name: "unlinkAccount and deleteUser exist",
    group: "core",
    run: async (context) => void requireMethods(context, "unlinkAccount", "deleteUser"),
  },
  {
    name: "deleteUser removes the user with all sessions and accounts, and no others",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "deleteUser")
      const [user, other] = [await storeUser(context), await storeUser(context)]
      const sessions = [await storeSession(context, user.id), await storeSession(context, user.id)]
      const account = await storeAccount(context, user.id)
      const session = await storeSession(context, other.id)
      const kept = await storeAccount(context, other.id)

      await adapter.deleteUser(user.id)

      assertNoRow(await context.db.user(user.id))
      for (const gone of sessions) assertNoRow(await context.db.session(gone.sessionToken))
      assertNoRow(await context.db.account(account))
      assertRecordEquals(await context.db.user(other.id), other)
      assertRecordEquals(await context.db.session(session.sessionToken), session, ["id"])
      assertRecordEquals(await context.db.account(kept), kept, ["id"])
    },
  },
  {
    // Cookie sessions, and requests that began before, still name the deleted user.
    name: "no user gets the id of a deleted one",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "deleteUser")
      const { id } = await storeUser(context)
      await adapter.deleteUser(id)
      assert.notEqual((await storeUser(context)).id, id)
    },
  },
]
