import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase } from "./context.ts"
import { having } from "./context.ts"
import {
  aSession,
  assertNothing,
  assertRecord,
  inSeconds,
  storedSession,
  storedUser,
} from "./records.ts"

/** What an adapter promises about sessions. */
export const sessionCases: readonly ConformanceCase[] = [
  {
    name: "5 createSession stores what it is given and returns it",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "createSession")
      const session = aSession(context, (await storedUser(context)).id)
      assertRecord(await adapter.createSession({ ...session }), session, ["id"])
      assertRecord(await context.db.session(session.sessionToken), session, ["id"])
    },
  },
  {
    name: "6 getSessionAndUser finds a session with its user, and nothing more, or null",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "getSessionAndUser")
      const user = await storedUser(context)
      const session = await storedSession(context, user.id)
      assert.equal(await adapter.getSessionAndUser(randomUUID()), null)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      assert.deepEqual(Object.keys(found ?? {}).sort(), ["session", "user"])
      assertRecord(found?.user, user)
      assertRecord(found?.session, session, ["id"])
    },
  },
  {
    name: "6 getSessionAndUser keeps the sessions of one user apart",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "getSessionAndUser")
      const { id } = await storedUser(context)
      for (const session of [await storedSession(context, id), await storedSession(context, id)]) {
        const found = await adapter.getSessionAndUser(session.sessionToken)
        assertRecord(found?.session, session, ["id"])
      }
    },
  },
  {
    name: "8 updateSession changes the expiry, and no other session",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "updateSession")
      const { id } = await storedUser(context)
      const [session, other] = [await storedSession(context, id), await storedSession(context, id)]
      const expires = inSeconds(5000)
      const updated = await adapter.updateSession({ sessionToken: session.sessionToken, expires })
      if (updated) assertRecord(updated, { ...session, expires }, ["id"])
      const row = await context.db.session(session.sessionToken)
      assertRecord(row, { ...session, expires }, ["id"])
      assertRecord(await context.db.session(other.sessionToken), other, ["id"])
    },
  },
  {
    name: "11 deleteSession removes the session, and no other",
    group: "core",
    run: async (context) => {
      const adapter = having(context, "deleteSession", "getSessionAndUser")
      const { id } = await storedUser(context)
      const [session, other] = [await storedSession(context, id), await storedSession(context, id)]
      await adapter.deleteSession(session.sessionToken)
      assertNothing(await context.db.session(session.sessionToken))
      assert.equal(await adapter.getSessionAndUser(session.sessionToken), null)
      assertRecord(await context.db.session(other.sessionToken), other, ["id"])
    },
  },
]
