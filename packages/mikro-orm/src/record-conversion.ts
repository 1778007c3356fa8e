import {
  invalidValueError,
  parseAccount,
  parseAccountType,
  recordFields,
} from "@latchkey/adapter-kit"
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  SessionChange,
  SessionRecord,
} from "@latchkey/core/adapters"
import type { JsonObject } from "@latchkey/core/types"
import type { EntityData, RequiredEntityData } from "@mikro-orm/core"
import type {
  AccountEntity,
  AuthenticatorEntity,
  EntityTypes,
  SessionChangeEntity,
  SessionEntity,
  SessionRecordEntity,
  UserEntity,
} from "./entities/entity-types.ts"
import { type Store, scalarProperties } from "./store.ts"
import { assertStorable, isLookupText } from "./value-checks.ts"

/** Records that have an `id`. An account's could come from a provider's response. */
const namedById: readonly (keyof EntityTypes)[] = [
  "User",
  "LatchkeySessionRecord",
  "LatchkeyFactor",
]

/**
 * Converts a record to the data of an entity: `userId` becomes the relation. Fields without a property are left out,
 * because providers add to their responses without notice.
 *
 * @throws TypeError naming the property if a value cannot be stored unchanged
 */
export function toEntityData<Name extends keyof EntityTypes>(
  store: Store,
  name: Name,
  record: object,
): RequiredEntityData<EntityTypes[Name]> & EntityData<EntityTypes[Name]> {
  const data: Record<string, unknown> = {}
  for (const property of scalarProperties(store, name)) {
    const value: unknown = Reflect.get(record, property.name)
    if (value === undefined || (property.name === "id" && !namedById.includes(name))) continue
    if (value !== null) assertStorable(name, property, value)
    data[property.name] = value
  }
  if (name === "Account" && data["type"] !== undefined) parseAccountType(data["type"])
  if (typeof data["expires_at"] === "number") data["expires_at"] = Math.floor(data["expires_at"])
  if (data["email"] === null) data["email"] = ""
  const userId: unknown = Reflect.get(record, "userId")
  if (userId !== undefined && data["userId"] === undefined) {
    // MikroORM would create another user from an object.
    if (!isLookupText(userId)) throw invalidValueError(`${name}.userId`, "text")
    data["user"] = userId
  }
  // MikroORM reports missing properties.
  return data as RequiredEntityData<EntityTypes[Name]> & EntityData<EntityTypes[Name]>
}

export function toAdapterUser(store: Store, user: UserEntity): AdapterUser {
  const { id, email, emailVerified, name = null, image = null } = user
  return { ...readAddedProperties(store, "User", user), id, name, email, emailVerified, image }
}

export function toAdapterSession(store: Store, session: SessionEntity): AdapterSession {
  const { sessionToken, userId, expires } = session
  return { ...readAddedProperties(store, "Session", session), sessionToken, userId, expires }
}

/** Reads an account. Properties without a value are absent. */
export function toAdapterAccount(store: Store, entity: AccountEntity): AdapterAccount {
  const values = Object.keys(recordFields.Account).map((name) => [name, Reflect.get(entity, name)])
  const account = parseAccount(Object.fromEntries(values))
  // An application that maps a property to another type than JSON declares that type itself.
  return Object.assign(readAddedProperties(store, "Account", entity) as JsonObject, account)
}

export function toAdapterAuthenticator(
  store: Store,
  passkey: AuthenticatorEntity,
): AdapterAuthenticator {
  const { credentialID, userId, providerAccountId, credentialPublicKey, counter } = passkey
  const { credentialDeviceType, credentialBackedUp, transports = null } = passkey
  return {
    ...readAddedProperties(store, "Authenticator", passkey),
    credentialID,
    userId,
    providerAccountId,
    credentialPublicKey,
    counter,
    credentialDeviceType,
    credentialBackedUp,
    transports,
  }
}

export function toSessionRecord(entity: SessionRecordEntity): SessionRecord {
  const { id, userId, createdAt, lastSeenAt, expires, details } = entity
  const { providerSession = null, providerSubject = null } = entity
  return { id, userId, createdAt, lastSeenAt, expires, providerSession, providerSubject, details }
}

export function toSessionChange(entity: SessionChangeEntity): SessionChange {
  const { key, changedAt, expires, details } = entity
  return { key, changedAt, expires, details }
}

/** Reads the properties that the application added, except hidden ones. */
function readAddedProperties(store: Store, name: keyof EntityTypes, entity: object): object {
  const added = scalarProperties(store, name).filter(
    (each) => !each.hidden && each.name !== "id" && !Object.hasOwn(recordFields[name], each.name),
  )
  const values = added.map((property) => [property.name, Reflect.get(entity, property.name)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
