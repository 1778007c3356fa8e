import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import type { ConformanceCase, ConformanceContext, Row } from "./context.ts"
import { requireMethods } from "./context.ts"
import {
  assertNoRow,
  assertRecordEquals,
  buildAuthenticator,
  buildId,
  storeAccount,
  storeUser,
} from "./record-fixtures.ts"

/** Requirements for passkeys. */
export const authenticatorCases: readonly ConformanceCase[] = [
  {
    name: "getAccount returns an account by provider and id, or null",
    group: "webauthn",
    run: async (context) => {
      const adapter = requireMethods(context, "getAccount")
      const account = await storeAccount(context, (await storeUser(context)).id)
      const { provider, providerAccountId } = account
      assert.equal(await adapter.getAccount(randomUUID(), provider), null)
      assert.equal(await adapter.getAccount(providerAccountId, "another-provider"), null)
      assert.equal(await adapter.getAccount(randomUUID(), "another-provider"), null)
      assertRecordEquals(await adapter.getAccount(providerAccountId, provider), account, ["id"])
    },
  },
  {
    name: "createAuthenticator stores and returns a passkey",
    group: "webauthn",
    run: async (context) => {
      const adapter = requireMethods(context, "createAuthenticator")
      const { id } = await storeUser(context)
      const passkey = buildAuthenticator(
        id,
        (await storePasskeyAccount(context, id)).providerAccountId,
      )
      assertRecordEquals(await adapter.createAuthenticator({ ...passkey }), passkey, ["id"])
      assertRecordEquals(await readAuthenticatorRow(context, passkey), passkey, ["id"])
    },
  },
  {
    name: "createAuthenticator rejects a stored credential",
    group: "webauthn",
    run: async (context) => {
      const adapter = requireMethods(context, "createAuthenticator")
      const passkey = await storePasskey(context, (await storeUser(context)).id)
      const duplicate = { ...passkey, userId: (await storeUser(context)).id }
      await assert.rejects(async () => adapter.createAuthenticator(duplicate))
      assertRecordEquals(await readAuthenticatorRow(context, passkey), passkey, ["id"])
    },
  },
  {
    name: "getAuthenticator returns a passkey by its credential, or null",
    group: "webauthn",
    run: async (context) => {
      const adapter = requireMethods(context, "getAuthenticator")
      const passkey = await storePasskey(context, (await storeUser(context)).id)
      assert.equal(await adapter.getAuthenticator(randomUUID()), null)
      assertRecordEquals(await adapter.getAuthenticator(passkey.credentialID), passkey, ["id"])
    },
  },
  {
    name: "listAuthenticatorsByUserId returns only the passkeys of the user",
    group: "webauthn",
    run: async (context) => {
      const adapter = requireMethods(context, "listAuthenticatorsByUserId")
      const { id } = await storeUser(context)
      const own = [await storePasskey(context, id), await storePasskey(context, id)]
      await storePasskey(context, (await storeUser(context)).id)
      assert.deepEqual(await adapter.listAuthenticatorsByUserId(buildId(context)), [])
      const listed = await adapter.listAuthenticatorsByUserId(id)
      assert.equal(listed.length, own.length)
      for (const passkey of own) {
        const found = listed.find(({ credentialID }) => credentialID === passkey.credentialID)
        assertRecordEquals(found, passkey, ["id"])
      }
    },
  },
  {
    name: "updateAuthenticatorCounter updates the counter, and rejects unknown passkeys",
    group: "webauthn",
    run: async (context) => {
      const adapter = requireMethods(context, "updateAuthenticatorCounter")
      const { id } = await storeUser(context)
      const [passkey, other] = [await storePasskey(context, id), await storePasskey(context, id)]
      await assert.rejects(async () => adapter.updateAuthenticatorCounter(randomUUID(), 1))
      const updated = await adapter.updateAuthenticatorCounter(passkey.credentialID, 7)
      assertRecordEquals(updated, { ...passkey, counter: 7 }, ["id"])
      assertRecordEquals(await readAuthenticatorRow(context, passkey), { ...passkey, counter: 7 }, [
        "id",
      ])
      assertRecordEquals(await readAuthenticatorRow(context, other), other, ["id"])
    },
  },
  {
    name: "deleteAuthenticator removes only the given passkey, and not its account",
    group: "webauthn",
    needs: ["deleteAuthenticator"],
    run: async (context) => {
      const adapter = requireMethods(context, "deleteAuthenticator", "listAuthenticatorsByUserId")
      const { id } = await storeUser(context)
      const [passkey, other] = [await storePasskey(context, id), await storePasskey(context, id)]
      await adapter.deleteAuthenticator(passkey.credentialID)
      await adapter.deleteAuthenticator(randomUUID())
      assertNoRow(await readAuthenticatorRow(context, passkey))
      const listed = await adapter.listAuthenticatorsByUserId(id)
      assert.deepEqual(
        listed.map(({ credentialID }) => credentialID),
        [other.credentialID],
      )
      const { providerAccountId } = passkey
      assert.ok(await context.db.account({ provider: "webauthn", providerAccountId }))
    },
  },
  {
    name: "deleteUser removes the passkeys of the user",
    group: "webauthn",
    run: async (context) => {
      const adapter = requireMethods(context, "deleteUser", "listAuthenticatorsByUserId")
      const { id } = await storeUser(context)
      const passkey = await storePasskey(context, id)
      await adapter.deleteUser(id)
      assertNoRow(await readAuthenticatorRow(context, passkey))
      assert.deepEqual(await adapter.listAuthenticatorsByUserId(id), [])
    },
  },
]

async function readAuthenticatorRow(
  { db }: ConformanceContext,
  { credentialID }: AdapterAuthenticator,
): Promise<Row> {
  assert.ok(db.authenticator, "db.authenticator is required for cases about passkeys")
  return db.authenticator(credentialID)
}

async function storePasskey(
  context: ConformanceContext,
  userId: string,
): Promise<AdapterAuthenticator> {
  const { providerAccountId } = await storePasskeyAccount(context, userId)
  const passkey = buildAuthenticator(userId, providerAccountId)
  await requireMethods(context, "createAuthenticator").createAuthenticator({ ...passkey })
  return passkey
}

function storePasskeyAccount(
  context: ConformanceContext,
  userId: string,
): ReturnType<typeof storeAccount> {
  return storeAccount(context, userId, { provider: "webauthn", type: "webauthn" })
}
