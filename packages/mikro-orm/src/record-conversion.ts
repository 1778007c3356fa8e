import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
} from "@latchkey/core/adapters"
import type { JsonObject } from "@latchkey/core/types"
import type { EntityData, RequiredEntityData } from "@mikro-orm/core"
import type {
  AccountEntity,
  AuthenticatorEntity,
  EntityTypes,
  SessionEntity,
  UserEntity,
} from "./entities/entity-types.ts"
import { type Store, scalarProperties } from "./store.ts"
import { assertStorable, isLookupText } from "./value-checks.ts"

/** The columns of values that are not an application's. */
const builtInProperties = {
  User: ["id", "name", "email", "emailVerified", "image"],
  Account: [
    "id",
    "type",
    "provider",
    "providerAccountId",
    "access_token",
    "refresh_token",
    "id_token",
    "scope",
    "token_type",
    "expires_at",
    "session_state",
  ],
  Session: ["id", "sessionToken", "expires"],
  VerificationToken: ["identifier", "token", "expires"],
  Authenticator: [
    "credentialID",
    "providerAccountId",
    "credentialPublicKey",
    "counter",
    "credentialDeviceType",
    "credentialBackedUp",
    "transports",
  ],
  LatchkeyLease: ["key", "holder", "expires", "result"],
} as const satisfies { readonly [Name in keyof EntityTypes]: readonly (keyof EntityTypes[Name])[] }

/**
 * Turns a record of the contract into data of an entity: `userId` becomes the relation, and what is no property is
 * left behind, because providers add to their answers without notice.
 *
 * @throws TypeError naming the property, when a value cannot be stored as it is
 */
export function toEntityData<Name extends keyof EntityTypes>(
  store: Store,
  name: Name,
  record: object,
): RequiredEntityData<EntityTypes[Name]> & EntityData<EntityTypes[Name]> {
  const data: Record<string, unknown> = {}
  for (const property of scalarProperties(store, name)) {
    const value: unknown = Reflect.get(record, property.name)
    // Only the contract's users have an id; that of an account would be something that a provider said.
    if (value === undefined || (property.name === "id" && name !== "User")) continue
    if (value !== null) assertStorable(name, property, value)
    data[property.name] = value
  }
  if (typeof data["expires_at"] === "number") data["expires_at"] = Math.floor(data["expires_at"])
  if (data["email"] === null) data["email"] = ""
  const userId: unknown = Reflect.get(record, "userId")
  if (userId !== undefined) {
    // An object would make another user.
    if (!isLookupText(userId)) throw new TypeError(`${name}.userId must be text.`)
    data["user"] = userId
  }
  // MikroORM itself says when something is missing.
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

/** What has no value is left out: the contract's fields are there, or not. */
export function toAdapterAccount(store: Store, entity: AccountEntity): AdapterAccount {
  const { userId, type, provider, providerAccountId } = entity
  const tokens = builtInProperties.Account.filter((name) => name !== "id").map(
    (name) => [name, Reflect.get(entity, name)] as const,
  )
  const presentTokens = tokens.filter(([, value]) => value !== null && value !== undefined)
  const account = { userId, type, provider, providerAccountId }
  return Object.assign(
    // An application that maps a property to another type than JSON declares that type itself.
    readAddedProperties(store, "Account", entity) as JsonObject,
    Object.fromEntries(presentTokens),
    account,
  )
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

/** What an application has added and does not hide. */
function readAddedProperties(store: Store, name: keyof EntityTypes, entity: object): object {
  const builtInNames: readonly string[] = builtInProperties[name]
  const added = scalarProperties(store, name).filter(
    (each) => !each.hidden && !builtInNames.includes(each.name),
  )
  const values = added.map((property) => [property.name, Reflect.get(entity, property.name)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
