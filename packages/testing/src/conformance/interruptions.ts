import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { having } from "./context.ts"
import { interruptedReadingCases } from "./interrupted-readings.ts"
import { atEachMessage, interruption, type Operation } from "./interrupting.ts"
import { leaseInterruptionCases } from "./lease-interruptions.ts"
import {
  anAccount,
  anAuthenticator,
  aSession,
  aToken,
  aUser,
  inSeconds,
  keyOf,
  storedAccount,
  storedSession,
  storedUser,
} from "./records.ts"

const core = { group: "interruption" } as const

/** What an adapter promises when the connection to the database breaks in the middle. */
export const interruptionCases: readonly ConformanceCase[] = [
  interruption("createUser", core, async (context) => {
    const adapter = having(context, "createUser", "getUserByEmail")
    const user = aUser(context)
    return {
      run: () => adapter.createUser({ ...user }),
      done: async () => (await adapter.getUserByEmail(user.email)) !== null,
    }
  }),
  interruption(
    "createUserWithAccount",
    { ...core, needs: ["createUserWithAccount"] },
    async (context) => {
      const adapter = having(context, "createUserWithAccount", "getUserByEmail", "getUserByAccount")
      const user = aUser(context)
      const account = anAccount(context, user.id)
      return {
        run: () => adapter.createUserWithAccount({ ...user }, { ...account }),
        done: () =>
          allOrNothing("user and account", [
            adapter.getUserByEmail(user.email),
            adapter.getUserByAccount(keyOf(account)),
          ]),
      }
    },
  ),
  interruption("updateUser", core, async (context) => {
    const adapter = having(context, "updateUser", "getUser")
    const { id } = await storedUser(context)
    const changes = { name: "Updated Name", image: "https://www.example.com/updated" }
    return {
      run: () => adapter.updateUser({ id, ...changes }),
      done: async () => changed(await adapter.getUser(id), changes),
    }
  }),
  interruption("deleteUser", core, async (context) => {
    const adapter = having(context, "deleteUser", "getUser", "getUserByAccount")
    const { getSessionAndUser } = having(context, "getSessionAndUser")
    const { id } = await storedUser(context)
    const account = await storedAccount(context, id)
    const { sessionToken } = await storedSession(context, id)
    return {
      run: () => adapter.deleteUser(id),
      done: async () =>
        !(await allOrNothing("user, account and session", [
          adapter.getUser(id),
          adapter.getUserByAccount(keyOf(account)),
          getSessionAndUser(sessionToken),
        ])),
    }
  }),
  interruption("linkAccount", core, async (context) => {
    const adapter = having(context, "linkAccount", "getUserByAccount")
    const account = anAccount(context, (await storedUser(context)).id)
    return {
      run: () => adapter.linkAccount({ ...account }),
      done: async () => (await adapter.getUserByAccount(keyOf(account))) !== null,
    }
  }),
  interruption("unlinkAccount", core, async (context) => {
    const adapter = having(context, "unlinkAccount", "getUserByAccount")
    const account = await storedAccount(context, (await storedUser(context)).id)
    return {
      run: () => adapter.unlinkAccount(keyOf(account)),
      done: async () => (await adapter.getUserByAccount(keyOf(account))) === null,
    }
  }),
  interruption("updateAccount", { ...core, needs: ["updateAccount"] }, async (context) => {
    const adapter = having(context, "updateAccount")
    const account = await storedAccount(context, (await storedUser(context)).id)
    const changes = { access_token: randomUUID(), refresh_token: randomUUID() }
    return {
      run: () => adapter.updateAccount({ ...keyOf(account), ...changes }),
      done: async () => changed(await context.db.account(account), changes),
    }
  }),
  interruption("createSession", core, async (context) => {
    const adapter = having(context, "createSession", "getSessionAndUser")
    const session = aSession(context, (await storedUser(context)).id)
    return {
      run: () => adapter.createSession({ ...session }),
      done: async () => (await adapter.getSessionAndUser(session.sessionToken)) !== null,
    }
  }),
  interruption("updateSession", core, async (context) => {
    const adapter = having(context, "updateSession", "getSessionAndUser")
    const { sessionToken } = await storedSession(context, (await storedUser(context)).id)
    const expires = inSeconds(9000)
    return {
      run: () => adapter.updateSession({ sessionToken, expires }),
      done: async () => {
        const found = await adapter.getSessionAndUser(sessionToken)
        return changed(found?.session, { expires })
      },
    }
  }),
  interruption("deleteSession", core, async (context) => {
    const adapter = having(context, "deleteSession", "getSessionAndUser")
    const { sessionToken } = await storedSession(context, (await storedUser(context)).id)
    return {
      run: () => adapter.deleteSession(sessionToken),
      done: async () => (await adapter.getSessionAndUser(sessionToken)) === null,
    }
  }),
  interruption("deleteSessions", { ...core, needs: ["deleteSessions"] }, async (context) => {
    const adapter = having(context, "deleteSessions", "getSessionAndUser")
    const { id } = await storedUser(context)
    const own = [await storedSession(context, id), await storedSession(context, id)]
    return {
      run: () => adapter.deleteSessions(id),
      done: async () => {
        const found = own.map(({ sessionToken }) => adapter.getSessionAndUser(sessionToken))
        return !(await allOrNothing("all sessions", found))
      },
    }
  }),
  interruption("createVerificationToken", core, async (context) => {
    const adapter = having(context, "createVerificationToken")
    const token = aToken()
    return {
      run: () => adapter.createVerificationToken({ ...token }),
      done: async () => Boolean(await context.db.verificationToken(token)),
    }
  }),
  {
    name: "useVerificationToken, interrupted anywhere, gives the token once at most",
    group: "interruption",
    needs: ["interrupt"],
    run: async (context) => {
      await atEachMessage(
        context,
        () => aUse(context),
        async ({ run, done, given }) => {
          const wasDone = await done()
          await Promise.allSettled([run()])
          await Promise.allSettled([run()])
          assert.ok(await done(), "when it is repeated, the token is gone")
          assert.ok(given() <= 1, "the token is given once at most")
          if (!wasDone) assert.equal(given(), 1, "who repeats it gets what nobody has got")
        },
      )
    },
  },
  interruption(
    "createAuthenticator",
    { group: "webauthn", needs: ["createAuthenticator"] },
    async (context) => {
      const adapter = having(context, "createAuthenticator", "getAuthenticator")
      const passkey = await aPasskey(context)
      return {
        run: () => adapter.createAuthenticator({ ...passkey }),
        done: async () => (await adapter.getAuthenticator(passkey.credentialID)) !== null,
      }
    },
  ),
  interruption(
    "updateAuthenticatorCounter",
    { group: "webauthn", needs: ["updateAuthenticatorCounter"] },
    async (context) => {
      const adapter = having(context, "createAuthenticator", "getAuthenticator")
      const { updateAuthenticatorCounter } = having(context, "updateAuthenticatorCounter")
      const passkey = await aPasskey(context)
      await adapter.createAuthenticator({ ...passkey })
      return {
        run: () => updateAuthenticatorCounter(passkey.credentialID, 9),
        done: async () =>
          changed(await adapter.getAuthenticator(passkey.credentialID), { counter: 9 }),
      }
    },
  ),
  ...interruptedReadingCases,
  ...leaseInterruptionCases,
]

/** A token that is to be used, and how often it was given. */
async function aUse(context: ConformanceContext): Promise<Operation & { given(): number }> {
  const adapter = having(context, "createVerificationToken", "useVerificationToken")
  const stored = aToken()
  await adapter.createVerificationToken({ ...stored })
  const { expires: _, ...key } = stored
  let given = 0
  return {
    run: async () => {
      if ((await adapter.useVerificationToken(key)) !== null) given += 1
    },
    done: async () => !(await context.db.verificationToken(key)),
    given: () => given,
  }
}

async function aPasskey(context: ConformanceContext) {
  const { id } = await storedUser(context)
  const account = await storedAccount(context, id, { provider: "webauthn", type: "webauthn" })
  return anAuthenticator(id, account.providerAccountId)
}

/** Whether all of it is there. @throws AssertionError when some of it is */
async function allOrNothing(what: string, parts: readonly unknown[]): Promise<boolean> {
  const found = (await Promise.all(parts)).filter((part) => part !== null && part !== undefined)
  const are = `${what}: ${found.length} of ${parts.length} are there`
  assert.ok(found.length === 0 || found.length === parts.length, are)
  return found.length > 0
}

/** Whether a record has the changes. @throws AssertionError when it has some of them, or is gone */
function changed(record: object | null | undefined, changes: object): boolean {
  assert.ok(record, "the record is still there")
  const made = Object.entries(changes).filter(([name, value]) => {
    const found: unknown = Reflect.get(record, name)
    return value instanceof Date ? Number(found) === value.getTime() : found === value
  })
  const count = Object.keys(changes).length
  assert.ok(made.length === 0 || made.length === count, "all changes are made, or none")
  return made.length > 0
}
