import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import type { ConformanceCase, ConformanceContext, Row } from "./context.ts"
import { having } from "./context.ts"
import {
  anAuthenticator,
  anId,
  assertNothing,
  assertRecord,
  storedAccount,
  storedUser,
} from "./records.ts"

/** What an adapter promises about passkeys. */
export const authenticatorCases: readonly ConformanceCase[] = [
  {
    name: "18 getAccount finds an account by both of its names, or null",
    group: "webauthn",
    run: async (context) => {
      const adapter = having(context, "getAccount")
      const account = await storedAccount(context, (await storedUser(context)).id)
      const { provider, providerAccountId } = account
      assert.equal(await adapter.getAccount(randomUUID(), provider), null)
      assert.equal(await adapter.getAccount(providerAccountId, "another-provider"), null)
      assert.equal(await adapter.getAccount(randomUUID(), "another-provider"), null)
      assertRecord(await adapter.getAccount(providerAccountId, provider), account, ["id"])
    },
  },
  {
    name: "19 createAuthenticator stores what it is given and returns it",
    group: "webauthn",
    run: async (context) => {
      const adapter = having(context, "createAuthenticator")
      const { id } = await storedUser(context)
      const passkey = anAuthenticator(id, (await passkeyAccount(context, id)).providerAccountId)
      assertRecord(await adapter.createAuthenticator({ ...passkey }), passkey, ["id"])
      assertRecord(await row(context, passkey), passkey, ["id"])
    },
  },
  {
    name: "19 createAuthenticator rejects a credential that is stored already",
    group: "webauthn",
    run: async (context) => {
      const adapter = having(context, "createAuthenticator")
      const passkey = await storedPasskey(context, (await storedUser(context)).id)
      const thief = { ...passkey, userId: (await storedUser(context)).id }
      await assert.rejects(async () => adapter.createAuthenticator(thief))
      assertRecord(await row(context, passkey), passkey, ["id"])
    },
  },
  {
    name: "20 getAuthenticator finds a passkey by its credential, or null",
    group: "webauthn",
    run: async (context) => {
      const adapter = having(context, "getAuthenticator")
      const passkey = await storedPasskey(context, (await storedUser(context)).id)
      assert.equal(await adapter.getAuthenticator(randomUUID()), null)
      assertRecord(await adapter.getAuthenticator(passkey.credentialID), passkey, ["id"])
    },
  },
  {
    name: "21 listAuthenticatorsByUserId gives the passkeys of a user, and no others",
    group: "webauthn",
    run: async (context) => {
      const adapter = having(context, "listAuthenticatorsByUserId")
      const { id } = await storedUser(context)
      const own = [await storedPasskey(context, id), await storedPasskey(context, id)]
      await storedPasskey(context, (await storedUser(context)).id)
      assert.deepEqual(await adapter.listAuthenticatorsByUserId(anId(context)), [])
      const listed = await adapter.listAuthenticatorsByUserId(id)
      assert.equal(listed.length, own.length)
      for (const passkey of own) {
        const found = listed.find(({ credentialID }) => credentialID === passkey.credentialID)
        assertRecord(found, passkey, ["id"])
      }
    },
  },
  {
    name: "22 updateAuthenticatorCounter counts, and rejects for an unknown passkey",
    group: "webauthn",
    run: async (context) => {
      const adapter = having(context, "updateAuthenticatorCounter")
      const { id } = await storedUser(context)
      const [passkey, other] = [await storedPasskey(context, id), await storedPasskey(context, id)]
      await assert.rejects(async () => adapter.updateAuthenticatorCounter(randomUUID(), 1))
      const updated = await adapter.updateAuthenticatorCounter(passkey.credentialID, 7)
      assertRecord(updated, { ...passkey, counter: 7 }, ["id"])
      assertRecord(await row(context, passkey), { ...passkey, counter: 7 }, ["id"])
      assertRecord(await row(context, other), other, ["id"])
    },
  },
  {
    name: "17 deleteUser removes the passkeys of the user",
    group: "webauthn",
    run: async (context) => {
      const adapter = having(context, "deleteUser", "listAuthenticatorsByUserId")
      const { id } = await storedUser(context)
      const passkey = await storedPasskey(context, id)
      await adapter.deleteUser(id)
      assertNothing(await row(context, passkey))
      assert.deepEqual(await adapter.listAuthenticatorsByUserId(id), [])
    },
  },
]

async function row(
  { db }: ConformanceContext,
  { credentialID }: AdapterAuthenticator,
): Promise<Row> {
  assert.ok(db.authenticator, "db.authenticator is needed to look at stored passkeys")
  return db.authenticator(credentialID)
}

async function storedPasskey(
  context: ConformanceContext,
  userId: string,
): Promise<AdapterAuthenticator> {
  const { providerAccountId } = await passkeyAccount(context, userId)
  const passkey = anAuthenticator(userId, providerAccountId)
  await having(context, "createAuthenticator").createAuthenticator({ ...passkey })
  return passkey
}

function passkeyAccount(
  context: ConformanceContext,
  userId: string,
): ReturnType<typeof storedAccount> {
  return storedAccount(context, userId, { provider: "webauthn", type: "webauthn" })
}
