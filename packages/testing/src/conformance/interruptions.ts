import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { requireMethods } from "./context.ts"
import { interruptedReadCases } from "./interrupted-reads.ts"
import {
  createInterruptionCase,
  interruptAtEachMessage,
  type Operation,
} from "./interruption-runner.ts"
import { leaseInterruptionCases } from "./lease-interruptions.ts"
import {
  buildAccount,
  buildAuthenticator,
  buildSession,
  buildUser,
  buildVerificationToken,
  secondsFromNow,
  storeAccount,
  storeSession,
  storeUser,
  toAccountKey,
} from "./record-fixtures.ts"

const caseOptions = { group: "interruption" } as const

/** Requirements for connections that break during an operation. */
export const interruptionCases: readonly ConformanceCase[] = [
  createInterruptionCase("createUser", caseOptions, async (context) => {
    const adapter = requireMethods(context, "createUser", "getUserByEmail")
    const user = buildUser(context)
    return {
      run: () => adapter.createUser({ ...user }),
      done: async () => (await adapter.getUserByEmail(user.email)) !== null,
    }
  }),
  createInterruptionCase(
    "createUserWithAccount",
    { ...caseOptions, needs: ["createUserWithAccount"] },
    async (context) => {
      const adapter = requireMethods(
        context,
        "createUserWithAccount",
        "getUserByEmail",
        "getUserByAccount",
      )
      const user = buildUser(context)
      const account = buildAccount(context, user.id)
      return {
        run: () => adapter.createUserWithAccount({ ...user }, { ...account }),
        done: () =>
          assertAllOrNone("user and account", [
            adapter.getUserByEmail(user.email),
            adapter.getUserByAccount(toAccountKey(account)),
          ]),
      }
    },
  ),
  createInterruptionCase("updateUser", caseOptions, async (context) => {
    const adapter = requireMethods(context, "updateUser", "getUser")
    const { id } = await storeUser(context)
    const changes = { name: "Updated Name", image: "https://www.example.com/updated" }
    return {
      run: () => adapter.updateUser({ id, ...changes }),
      done: async () => assertAllOrNoChanges(await adapter.getUser(id), changes),
    }
  }),
  createInterruptionCase("deleteUser", caseOptions, async (context) => {
    const adapter = requireMethods(context, "deleteUser", "getUser", "getUserByAccount")
    const { getSessionAndUser } = requireMethods(context, "getSessionAndUser")
    const { id } = await storeUser(context)
    const account = await storeAccount(context, id)
    const { sessionToken } = await storeSession(context, id)
    return {
      run: () => adapter.deleteUser(id),
      done: async () =>
        !(await assertAllOrNone("user, account and session", [
          adapter.getUser(id),
          adapter.getUserByAccount(toAccountKey(account)),
          getSessionAndUser(sessionToken),
        ])),
    }
  }),
  createInterruptionCase("linkAccount", caseOptions, async (context) => {
    const adapter = requireMethods(context, "linkAccount", "getUserByAccount")
    const account = buildAccount(context, (await storeUser(context)).id)
    return {
      run: () => adapter.linkAccount({ ...account }),
      done: async () => (await adapter.getUserByAccount(toAccountKey(account))) !== null,
    }
  }),
  createInterruptionCase("unlinkAccount", caseOptions, async (context) => {
    const adapter = requireMethods(context, "unlinkAccount", "getUserByAccount")
    const account = await storeAccount(context, (await storeUser(context)).id)
    return {
      run: () => adapter.unlinkAccount(toAccountKey(account)),
      done: async () => (await adapter.getUserByAccount(toAccountKey(account))) === null,
    }
  }),
  createInterruptionCase(
    "updateAccount",
    { ...caseOptions, needs: ["updateAccount"] },
    async (context) => {
      const adapter = requireMethods(context, "updateAccount")
      const account = await storeAccount(context, (await storeUser(context)).id)
      const changes = { access_token: randomUUID(), refresh_token: randomUUID() }
      return {
        run: () => adapter.updateAccount({ ...toAccountKey(account), ...changes }),
        done: async () => assertAllOrNoChanges(await context.db.account(account), changes),
      }
    },
  ),
  createInterruptionCase("createSession", caseOptions, async (context) => {
    const adapter = requireMethods(context, "createSession", "getSessionAndUser")
    const session = buildSession(context, (await storeUser(context)).id)
    return {
      run: () => adapter.createSession({ ...session }),
      done: async () => (await adapter.getSessionAndUser(session.sessionToken)) !== null,
    }
  }),
  createInterruptionCase("updateSession", caseOptions, async (context) => {
    const adapter = requireMethods(context, "updateSession", "getSessionAndUser")
    const { sessionToken } = await storeSession(context, (await storeUser(context)).id)
    const expires = secondsFromNow(9000)
    return {
      run: () => adapter.updateSession({ sessionToken, expires }),
      done: async () => {
        const found = await adapter.getSessionAndUser(sessionToken)
        return assertAllOrNoChanges(found?.session, { expires })
      },
    }
  }),
  createInterruptionCase("deleteSession", caseOptions, async (context) => {
    const adapter = requireMethods(context, "deleteSession", "getSessionAndUser")
    const { sessionToken } = await storeSession(context, (await storeUser(context)).id)
    return {
      run: () => adapter.deleteSession(sessionToken),
      done: async () => (await adapter.getSessionAndUser(sessionToken)) === null,
    }
  }),
  createInterruptionCase(
    "deleteSessions",
    { ...caseOptions, needs: ["deleteSessions"] },
    async (context) => {
      const adapter = requireMethods(context, "deleteSessions", "getSessionAndUser")
      const { id } = await storeUser(context)
      const own = [await storeSession(context, id), await storeSession(context, id)]
      return {
        run: () => adapter.deleteSessions(id),
        done: async () => {
          const found = own.map(({ sessionToken }) => adapter.getSessionAndUser(sessionToken))
          return !(await assertAllOrNone("all sessions", found))
        },
      }
    },
  ),
  createInterruptionCase("createVerificationToken", caseOptions, async (context) => {
    const adapter = requireMethods(context, "createVerificationToken")
    const token = buildVerificationToken()
    return {
      run: () => adapter.createVerificationToken({ ...token }),
      done: async () => Boolean(await context.db.verificationToken(token)),
    }
  }),
  {
    name: "useVerificationToken, interrupted, returns the token once at most",
    group: "interruption",
    needs: ["interrupt"],
    run: async (context) => {
      await interruptAtEachMessage(
        context,
        () => buildTokenUse(context),
        async ({ run, done, timesGiven }) => {
          const wasDone = await done()
          await Promise.allSettled([run()])
          await Promise.allSettled([run()])
          assert.ok(await done(), "after a repetition the token is removed")
          assert.ok(timesGiven() <= 1, "the token is returned once at most")
          if (!wasDone) assert.equal(timesGiven(), 1, "a repetition returns the unused token")
        },
      )
    },
  },
  createInterruptionCase(
    "createAuthenticator",
    { group: "webauthn", needs: ["createAuthenticator"] },
    async (context) => {
      const adapter = requireMethods(context, "createAuthenticator", "getAuthenticator")
      const passkey = await buildPasskey(context)
      return {
        run: () => adapter.createAuthenticator({ ...passkey }),
        done: async () => (await adapter.getAuthenticator(passkey.credentialID)) !== null,
      }
    },
  ),
  createInterruptionCase(
    "updateAuthenticatorCounter",
    { group: "webauthn", needs: ["updateAuthenticatorCounter"] },
    async (context) => {
      const adapter = requireMethods(context, "createAuthenticator", "getAuthenticator")
      const { updateAuthenticatorCounter } = requireMethods(context, "updateAuthenticatorCounter")
      const passkey = await buildPasskey(context)
      await adapter.createAuthenticator({ ...passkey })
      return {
        run: () => updateAuthenticatorCounter(passkey.credentialID, 9),
        done: async () =>
          assertAllOrNoChanges(await adapter.getAuthenticator(passkey.credentialID), {
            counter: 9,
          }),
      }
    },
  ),
  ...interruptedReadCases,
  ...leaseInterruptionCases,
]

/** Creates a token, and counts how often it is returned. */
async function buildTokenUse(
  context: ConformanceContext,
): Promise<Operation & { timesGiven(): number }> {
  const adapter = requireMethods(context, "createVerificationToken", "useVerificationToken")
  const token = buildVerificationToken()
  await adapter.createVerificationToken({ ...token })
  const { expires: _, ...key } = token
  let count = 0
  return {
    run: async () => {
      if ((await adapter.useVerificationToken(key)) !== null) count += 1
    },
    done: async () => !(await context.db.verificationToken(key)),
    timesGiven: () => count,
  }
}

async function buildPasskey(context: ConformanceContext) {
  const { id } = await storeUser(context)
  const account = await storeAccount(context, id, { provider: "webauthn", type: "webauthn" })
  return buildAuthenticator(id, account.providerAccountId)
}

/** Whether all parts exist. @throws AssertionError if only some do */
async function assertAllOrNone(what: string, parts: readonly unknown[]): Promise<boolean> {
  const found = (await Promise.all(parts)).filter((part) => part !== null && part !== undefined)
  const message = `${what}: ${found.length} of ${parts.length} exist`
  assert.ok(found.length === 0 || found.length === parts.length, message)
  return found.length > 0
}

/** Whether a record has all changes. @throws AssertionError if it has only some, or does not exist */
function assertAllOrNoChanges(record: object | null | undefined, changes: object): boolean {
  assert.ok(record, "the record still exists")
  const applied = Object.entries(changes).filter(([name, value]) => {
    const found: unknown = Reflect.get(record, name)
    return value instanceof Date ? Number(found) === value.getTime() : found === value
  })
  const count = Object.keys(changes).length
  assert.ok(applied.length === 0 || applied.length === count, "all changes are made, or none")
  return applied.length > 0
}
