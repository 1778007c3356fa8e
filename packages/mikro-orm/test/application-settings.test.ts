import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import {
  type EntityManager,
  MikroORM,
  NodeSqliteDialect,
  RequestContext,
  SqliteDriver,
} from "@mikro-orm/sql"
import { expect, onTestFinished, test } from "vitest"
import { newAccount, newChange, newSession, newUser } from "./support/test-records.ts"

test("missing tables are reported", async () => {
  const adapter = MikroOrmAdapter(await openInMemory())
  await expect(adapter.getUser("1")).rejects.toMatchObject({ code: "unmigrated" })
  await expect(adapter.createUser(newUser())).rejects.toMatchObject({ code: "unmigrated" })
})

test("cached results of the application are not used", async () => {
  const orm = await openInMemory({ resultCache: { global: 60_000 } })
  await orm.schema.create()
  const [adapter, other] = [MikroOrmAdapter(orm), MikroOrmAdapter(orm)]
  const { id } = await adapter.createUser(newUser())
  const { sessionToken } = await adapter.createSession(newSession(id))
  expect(await adapter.getSessionAndUser(sessionToken)).not.toBeNull()
  await other.deleteSession(sessionToken)
  expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
})

test("nothing is read from a replica, where ended sessions still exist", async () => {
  const inMemory = () => ({ driverOptions: new NodeSqliteDialect(":memory:") })
  const orm = await MikroORM.init({
    driver: SqliteDriver,
    dbName: ":memory:",
    entities: Object.values(defineEntities()),
    replicas: [{ name: "behind", ...inMemory() }],
    ...inMemory(),
  })
  await orm.schema.create()
  const adapter = MikroOrmAdapter(orm)
  const user = await adapter.createUser(newUser())
  const session = newSession(user.id)
  await adapter.createSession(session)
  expect(await adapter.getSessionAndUser(session.sessionToken)).toEqual({ session, user })
  expect(await adapter.getUser(user.id)).toEqual(user)
  expect(await adapter.listSessions(user.id)).toEqual([session])
  expect(await adapter.deleteExpired(new Date(), 10)).toBe(0)
  await orm.close()
})

test("the entity for leases is optional", async () => {
  const { LatchkeyLease: _, ...entities } = defineEntities()
  const orm = await openInMemory({ entities: Object.values(entities) })
  await orm.schema.create()
  const adapter = MikroOrmAdapter(orm)
  const user = await adapter.createUser(newUser())
  await adapter.createSession({ ...newSession(user.id), expires: new Date(1000) })
  expect(await adapter.deleteExpired(new Date(1001), 10)).toBe(1)
  expect(await adapter.getUser(user.id)).toEqual(user)
  const lease = { key: "work", holder: "mine", lifetime: 60_000 }
  const refused = (async () => adapter.acquireLease(lease))()
  await expect(refused).rejects.toMatchObject({ code: "unmigrated", operation: "acquireLease" })
  await expect(refused).rejects.toThrow("MikroORM was not given the entity LatchkeyLease")
})

test("a request that was aborted does not end the adapter's work, for which others may wait", async () => {
  const orm = await openInMemory()
  await orm.schema.create()
  const adapter = MikroOrmAdapter(orm)
  const user = await adapter.createUser(newUser())
  const session = newSession(user.id)
  const work = async () => {
    await adapter.createSession(session)
    await adapter.updateSession({ ...session, expires: new Date(0) })
    await adapter.deleteSession(session.sessionToken)
    return adapter.getUser(user.id)
  }
  const signal = AbortSignal.abort()
  expect(await RequestContext.create(orm.em, work, { signal })).toEqual(user)
})

test("changes of sessions are those of all requests, whatever their context", async () => {
  const entities = defineEntities({}, { sessionRecords: true })
  const orm = await openInMemory({ entities: Object.values(entities) })
  await orm.schema.create()
  const { saveSessionChange, listSessionChanges } = MikroOrmAdapter(orm)
  const change = newChange()
  await saveSessionChange?.(change)
  const found = await RequestContext.create(orm.em, async () => {
    const em = RequestContext.getEntityManager() as EntityManager
    em.addFilter({
      name: "tenant",
      cond: { key: "of a tenant" },
      entity: [entities.LatchkeySessionChange],
    })
    return listSessionChanges?.(new Date(0))
  })
  expect(found).toEqual([change])
})

test("without foreign keys, nothing of a deleted user remains", async () => {
  const orm = await openInMemory()
  await orm.schema.create()
  await orm.em.getConnection().execute("pragma foreign_keys = off")
  const adapter = MikroOrmAdapter(orm)
  const { id } = await adapter.createUser(newUser())
  const [session, account, credentialID] = [newSession(id), newAccount(id), "credential"]
  const { provider, providerAccountId } = account
  await adapter.createSession(session)
  await adapter.linkAccount(account)
  await adapter.createAuthenticator({
    userId: id,
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: "k",
    counter: 0,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
    transports: null,
  })
  await adapter.deleteUser(id)
  expect(await adapter.getAuthenticator(credentialID)).toBeNull()
  expect(await adapter.getAccount(providerAccountId, provider)).toBeNull()
  // The person can sign up again, and a user with the same id gets no earlier session.
  const next = await adapter.createUserWithAccount(newUser({ id }), account)
  expect(await adapter.getUserByAccount(account)).toEqual(next)
  expect(await adapter.getSessionAndUser(session.sessionToken)).toBeNull()
})

async function openInMemory(options: object = {}) {
  const orm = await MikroORM.init({
    driver: SqliteDriver,
    driverOptions: new NodeSqliteDialect(":memory:"),
    dbName: ":memory:",
    entities: Object.values(defineEntities()),
    ...options,
  })
  onTestFinished(() => orm.close())
  return orm
}
