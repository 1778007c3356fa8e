import type { SqlAdapter } from "@latchkey/sql"
import { beforeEach, describe, expect, test } from "vitest"
import {
  createAdapter,
  readTable,
  type TestDatabase,
} from "./support/database-kinds/database-kind.ts"
import { databaseKinds } from "./support/database-kinds.ts"
import { createSignedInUser, newAccount, newUser } from "./support/test-records.ts"

/** The methods of section 14 of the protocol. */
describe.each(databaseKinds)("SqlAdapter, on $name", (kind) => {
  let database: TestDatabase
  let adapter: SqlAdapter

  beforeEach(async () => {
    database = await kind.open()
    adapter = createAdapter(kind, database, { migrate: true })
  })

  const rows = (table: string) => readTable(database, table)

  describe("users", () => {
    test("stores a user unchanged", async () => {
      const newUserRecord = newUser({
        emailVerified: new Date("2026-03-04T05:06:07.890Z"),
        image: "https://i",
      })
      expect(await adapter.createUser(newUserRecord)).toEqual(newUserRecord)
      expect(await rows("User")).toEqual([newUserRecord])
    })

    test("finds users by id and by address, and no others", async () => {
      const user = await adapter.createUser(newUser())
      await adapter.createUser(newUser())
      expect(await adapter.getUser(user.id)).toEqual(user)
      expect(await adapter.getUserByEmail(user.email)).toEqual(user)
      expect(await adapter.getUser("nobody")).toBeNull()
      expect(await adapter.getUserByEmail("nobody@example.test")).toBeNull()
    })

    test("updates the given fields and keeps the others", async () => {
      const other = await adapter.createUser(newUser())
      const user = await adapter.createUser(newUser())
      const expected = { ...user, name: "New name" }
      expect(await adapter.updateUser({ id: user.id, name: "New name" })).toEqual(expected)
      expect(await adapter.getUser(user.id)).toEqual(expected)
      expect(await adapter.getUser(other.id)).toEqual(other)
    })

    test("an empty update returns the user", async () => {
      const user = await adapter.createUser(newUser())
      expect(await adapter.updateUser({ id: user.id })).toEqual(user)
    })

    test("an update of an unknown user rejects", async () => {
      await expect(adapter.updateUser({ id: "nobody", name: "x" })).rejects.toMatchObject({
        code: "not-found",
        operation: "updateUser",
      })
      await expect(adapter.updateUser({ id: "nobody" })).rejects.toMatchObject({
        code: "not-found",
      })
    })

    test("deletes a user with all their records, and no others", async () => {
      const { user, sessionToken } = await createSignedInUser(adapter)
      const kept = await createSignedInUser(adapter)
      await adapter.linkAccount(newAccount(user))
      await adapter.createAuthenticator(passkey(user.id, "credential-1"))
      const expires = new Date("2030-01-01")
      await adapter.createVerificationToken({ identifier: user.email, token: "hash", expires })
      await adapter.createVerificationToken({ identifier: kept.user.email, token: "hash", expires })

      expect(await adapter.deleteUser(user.id)).toEqual(user)

      expect(await adapter.getUser(user.id)).toBeNull()
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      expect(await rows("Account")).toEqual([])
      expect(await rows("Authenticator")).toEqual([])
      expect(await rows("Session")).toMatchObject([{ userId: kept.user.id }])
      expect(await rows("VerificationToken")).toMatchObject([{ identifier: kept.user.email }])
      expect(await adapter.deleteUser(user.id)).toBeNull()
    })
  })

  describe("accounts", () => {
    test("are stored with all token fields", async () => {
      const user = await adapter.createUser(newUser())
      const account = newAccount(user, {
        access_token: "access",
        refresh_token: "refresh",
        id_token: "a.b.c",
        token_type: "bearer",
        scope: "openid email",
        expires_at: 1_900_000_000,
        session_state: "state",
      })
      expect(await adapter.linkAccount(account)).toEqual(account)
      const { provider, providerAccountId } = account
      expect(await adapter.getAccount(providerAccountId, provider)).toEqual(account)
      expect(await adapter.getAccount(providerAccountId, "other")).toBeNull()
      expect(await adapter.getAccount("other", provider)).toBeNull()
    })

    test("find their user only by both provider and id", async () => {
      const user = await adapter.createUser(newUser())
      const other = await adapter.createUser(newUser())
      const account = newAccount(user)
      await adapter.linkAccount(account)
      await adapter.linkAccount({ ...account, userId: other.id, provider: "socialidp" })
      const { provider, providerAccountId } = account
      expect(await adapter.getUserByAccount({ provider, providerAccountId })).toEqual(user)
      expect(await adapter.getUserByAccount({ provider: "socialidp", providerAccountId })).toEqual(
        other,
      )
      expect(await adapter.getUserByAccount({ provider, providerAccountId: "x" })).toBeNull()
      expect(await adapter.getUserByAccount({ provider: "x", providerAccountId })).toBeNull()
    })

    test("are unlinked one at a time", async () => {
      const user = await adapter.createUser(newUser())
      const account = newAccount(user)
      const kept = newAccount(user)
      await adapter.linkAccount(account)
      await adapter.linkAccount(kept)
      expect(await adapter.unlinkAccount(account)).toEqual(account)
      expect(await rows("Account")).toMatchObject([{ providerAccountId: kept.providerAccountId }])
      expect(await adapter.unlinkAccount(account)).toBeUndefined()
    })
  })

  describe("sessions", () => {
    test("are found with their user, expired or not", async () => {
      const user = await adapter.createUser(newUser())
      await createSignedInUser(adapter)
      const session = {
        sessionToken: "t",
        userId: user.id,
        expires: new Date("2001-01-01T00:00:00.001Z"),
      }
      expect(await adapter.createSession(session)).toEqual(session)
      expect(await adapter.getSessionAndUser("t")).toStrictEqual({ session, user })
      expect(await adapter.getSessionAndUser("unknown")).toBeNull()
    })

    test("are renewed one at a time", async () => {
      const { user, sessionToken } = await createSignedInUser(adapter)
      const kept = await createSignedInUser(adapter)
      const expires = new Date("2031-02-03T04:05:06.007Z")
      const expected = { sessionToken, userId: user.id, expires }
      const updated = await adapter.updateSession({ sessionToken, expires })
      // Engines that cannot return the changed row do not read it.
      if (updated !== undefined) expect(updated).toEqual(expected)
      expect((await adapter.getSessionAndUser(sessionToken))?.session).toEqual(expected)
      const other = await adapter.getSessionAndUser(kept.sessionToken)
      expect(other?.session.expires).toEqual(new Date("2030-01-01"))
      expect(await adapter.updateSession({ sessionToken: "unknown", expires })).toBeNull()
    })

    test("are deleted one at a time", async () => {
      const { user, sessionToken } = await createSignedInUser(adapter)
      const kept = await createSignedInUser(adapter)
      expect(await adapter.deleteSession(sessionToken)).toMatchObject({ userId: user.id })
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      expect(await adapter.getSessionAndUser(kept.sessionToken)).not.toBeNull()
      expect(await adapter.deleteSession(sessionToken)).toBeNull()
    })
  })

  describe("tokens of e-mail links", () => {
    const token = { identifier: "a@example.test", token: "hash", expires: new Date("2030-01-01") }

    test("are returned once", async () => {
      expect(await adapter.createVerificationToken(token)).toEqual(token)
      expect(await adapter.useVerificationToken(token)).toStrictEqual(token)
      expect(await adapter.useVerificationToken(token)).toBeNull()
    })

    test("are neither returned nor deleted for another address or token", async () => {
      await adapter.createVerificationToken(token)
      const wrong = { identifier: "b@example.test", token: "hash" }
      expect(await adapter.useVerificationToken(wrong)).toBeNull()
      expect(await adapter.useVerificationToken({ ...token, token: "guess" })).toBeNull()
      expect(await adapter.useVerificationToken(token)).toEqual(token)
    })

    test("are returned and deleted after they expired, for the library to refuse", async () => {
      const expired = { ...token, expires: new Date("2001-01-01") }
      await adapter.createVerificationToken(expired)
      expect(await adapter.useVerificationToken(expired)).toEqual(expired)
      expect(await rows("VerificationToken")).toEqual([])
    })
  })

  describe("passkeys", () => {
    test("are stored", async () => {
      const user = await adapter.createUser(newUser())
      const stored = passkey(user.id, "credential-1")
      expect(await adapter.createAuthenticator(stored)).toEqual(stored)
      expect(await adapter.getAuthenticator("credential-1")).toEqual(stored)
      expect(await adapter.getAuthenticator("unknown")).toBeNull()
    })

    test("are listed by user", async () => {
      const user = await adapter.createUser(newUser())
      const other = await adapter.createUser(newUser())
      const own = [passkey(user.id, "a"), passkey(user.id, "b")]
      for (const each of [...own, passkey(other.id, "c")]) await adapter.createAuthenticator(each)
      const listed = await adapter.listAuthenticatorsByUserId(user.id)
      expect(listed).toHaveLength(2)
      expect(listed).toEqual(expect.arrayContaining(own))
      expect(await adapter.listAuthenticatorsByUserId("nobody")).toEqual([])
    })

    test("are updated with a new counter, and reject an unknown credential", async () => {
      const user = await adapter.createUser(newUser())
      const stored = await adapter.createAuthenticator(passkey(user.id, "a"))
      const expected = { ...stored, counter: 4_294_967_295 }
      expect(await adapter.updateAuthenticatorCounter("a", 4_294_967_295)).toEqual(expected)
      expect(await adapter.getAuthenticator("a")).toEqual(expected)
      await expect(adapter.updateAuthenticatorCounter("b", 1)).rejects.toMatchObject({
        code: "not-found",
      })
    })
  })

  test("it has every method of an adapter", () => {
    expect(Object.keys(adapter).sort()).toEqual([
      "acquireLease",
      "comparesKeysExactly",
      "completeLease",
      "countAttempt",
      "countUnprovenUsers",
      "createAuthenticator",
      "createSession",
      "createUser",
      "createUserWithAccount",
      "createVerificationToken",
      "deleteAuthenticator",
      "deleteExpired",
      "deleteSession",
      "deleteSessions",
      "deleteUser",
      "getAccount",
      "getAuthenticator",
      "getSessionAndUser",
      "getUser",
      "getUserByAccount",
      "getUserByEmail",
      "linkAccount",
      "listAccounts",
      "listAuthenticatorsByUserId",
      "listSessions",
      "releaseLease",
      "resetAttempts",
      "unlinkAccount",
      "updateAccount",
      "updateAuthenticatorCounter",
      "updateSession",
      "updateUser",
      "useVerificationToken",
    ])
  })
})

function passkey(userId: string, credentialID: string) {
  return {
    userId,
    credentialID,
    providerAccountId: `account-${credentialID}`,
    credentialPublicKey: "cHVibGlj",
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "internal,hybrid",
  }
}
