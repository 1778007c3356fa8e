import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  assertNoRow,
  assertRecordEquals,
  buildSession,
  secondsFromNow,
  storeSession,
  storeUser,
} from "./record-fixtures.ts"

/** Requirements for sessions. */
export const sessionCases: readonly ConformanceCase[] = [
  {
    name: "createSession stores and returns a session",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createSession")
      const session = buildSession(context, (await storeUser(context)).id)
      assertRecordEquals(await adapter.createSession({ ...session }), session, ["id"])
      assertRecordEquals(await context.db.session(session.sessionToken), session, ["id"])
    },
  },
  {
    name: "createSession does not replace the session of another user",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "createSession")
      const session = await storeSession(context, (await storeUser(context)).id)
      const { id: userId } = await storeUser(context)
      const replace = async () => adapter.createSession({ ...session, userId })
      await replace().catch(() => undefined)
      assertRecordEquals(await context.db.session(session.sessionToken), session, ["id"])
    },
  },
  {
    name: "getSessionAndUser returns only the session and its user, or null",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "getSessionAndUser")
      const user = await storeUser(context)
      const session = await storeSession(context, user.id)
      assert.equal(await adapter.getSessionAndUser(randomUUID()), null)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      assert.deepEqual(Object.keys(found ?? {}).sort(), ["session", "user"])
      assertRecordEquals(found?.user, user)
      assertRecordEquals(found?.session, session, ["id"])
    },
  },
  {
    name: "getSessionAndUser distinguishes sessions of one user",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "getSessionAndUser")
      const { id } = await storeUser(context)
      for (const session of [await storeSession(context, id), await storeSession(context, id)]) {
        const found = await adapter.getSessionAndUser(session.sessionToken)
        assertRecordEquals(found?.session, session, ["id"])
      }
    },
  },
  {
    name: "updateSession changes only the expiry of the given session",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "updateSession")
      const { id } = await storeUser(context)
      const [session, other] = [await storeSession(context, id), await storeSession(context, id)]
      const expires = secondsFromNow(5000)
      const updated = await adapter.updateSession({ sessionToken: session.sessionToken, expires })
      if (updated) assertRecordEquals(updated, { ...session, expires }, ["id"])
      const row = await context.db.session(session.sessionToken)
      assertRecordEquals(row, { ...session, expires }, ["id"])
      assertRecordEquals(await context.db.session(other.sessionToken), other, ["id"])
    },
  },
  {
    name: "deleteSession removes only the given session",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "deleteSession", "getSessionAndUser")
      const { id } = await storeUser(context)
      const [session, other] = [await storeSession(context, id), await storeSession(context, id)]
      await adapter.deleteSession(session.sessionToken)
      assertNoRow(await context.db.session(session.sessionToken))
      assert.equal(await adapter.getSessionAndUser(session.sessionToken), null)
      assertRecordEquals(await context.db.session(other.sessionToken), other, ["id"])
    },
  },
  {
    name: "updateSession does not restore a deleted session",
    group: "core",
    run: async (context) => {
      const adapter = requireMethods(context, "deleteSession", "updateSession")
      const { id } = await storeUser(context)
      const session = await storeSession(context, id)
      const { sessionToken } = session
      await adapter.deleteSession(sessionToken)
      const expires = secondsFromNow(5000)
      for (const changes of [
        { sessionToken, expires },
        { ...session, expires },
      ]) {
        const update = async () => adapter.updateSession(changes)
        await update().catch(() => undefined)
        assertNoRow(await context.db.session(sessionToken))
      }
    },
  },
]
