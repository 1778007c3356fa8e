import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import type { Compilable } from "kysely"
import { changing } from "../changes.ts"
import { storedId } from "../earlier.ts"
import { SqlError } from "../errors.ts"
import { slot, type Values } from "../query.ts"
import { lookup, lookupId, stored } from "../schema/stored.ts"
import { prepared, type Query, type Store } from "../store.ts"
import { first } from "../touching.ts"
import { insertion } from "./insertion.ts"
import { userFields, userFromRow, userToRow } from "./user-row.ts"

type UserMethods = Required<
  Pick<Adapter, "createUser" | "getUser" | "getUserByAccount" | "getUserByEmail" | "updateUser">
>

/** The methods for users. */
export function users(store: Store): UserMethods {
  return { ...reading(store), ...writing(store) }
}

/** Reads a user by id. */
export function readUser(store: Store): (query: Query) => Compilable {
  const { columns } = store
  return (query) =>
    query
      .selectFrom("User")
      .select(columns.read("User", userFields(store)))
      .where(columns.of("User", "id"), "=", slot("id"))
}

function reading(
  store: Store,
): Pick<UserMethods, "getUser" | "getUserByAccount" | "getUserByEmail"> {
  const { codecs, columns } = store
  const byId = first(store, "getUser", readUser(store))
  const byEmail = first(store, "getUserByEmail", (query) =>
    query
      .selectFrom("User")
      .select(columns.read("User", userFields(store)))
      .where(columns.of("User", "email"), "=", slot("email")),
  )
  const byAccount = first(store, "getUserByAccount", readByAccount(store))
  async function find(search: typeof byId, values: Values): Promise<AdapterUser | null> {
    const row = Object.values(values).includes(null) ? null : await search(values)
    return row && userFromRow(store, row)
  }
  return {
    getUser: async (id) => find(byId, { id: lookupId(codecs, id, "User.id") }),
    // People without an address are stored with none: the empty one finds nobody.
    getUserByEmail: async (email) => find(byEmail, { email: lookup(codecs, email, "User.email") }),
    getUserByAccount: async ({ provider, providerAccountId }) =>
      find(byAccount, {
        provider: lookup(codecs, provider, "Account.provider"),
        providerAccountId: lookup(codecs, providerAccountId, "Account.providerAccountId"),
      }),
  }
}

function readByAccount(store: Store): (query: Query) => Compilable {
  const { columns } = store
  return (query) =>
    query
      .selectFrom("Account")
      .innerJoin("User", (join) =>
        join.on(columns.in("User", "id"), "=", columns.in("Account", "userId")),
      )
      .select(columns.readFrom("User", userFields(store)))
      .where(columns.in("Account", "provider"), "=", slot("provider"))
      .where(columns.in("Account", "providerAccountId"), "=", slot("providerAccountId"))
}

/** The statement that stores a user. */
export function insertUser(store: Store): (query: Query) => Compilable {
  const fields = userFields(store).filter((field) => field !== "id")
  return insertion(store, "User", fields)
}

/** A row with every column of a new user; its id is null where the database makes it. */
export function newUserRow(
  store: Store,
  user: AdapterUser,
): Record<string, unknown> & { id: unknown } {
  const counted = store.codecs.id.source === "database"
  const id = counted ? null : stored(store.codecs, "User.id", "id", user.id ?? crypto.randomUUID())
  const row = { name: null, email: null, emailVerified: null, image: null, id }
  return { ...row, ...userToRow(store, user) }
}

function writing(store: Store): Pick<UserMethods, "createUser" | "updateUser"> {
  const { codecs, columns } = store
  const insert = prepared(store, "createUser", insertUser(store))
  const byId = columns.of("User", "id")
  const plain = (query: Query, fields: readonly string[]) =>
    query.updateTable("User").set(columns.slots("User", fields)).where(byId, "=", slot("id"))
  const change = changing(store, "updateUser", {
    read: readUser(store),
    plain,
    returning: (query, fields) =>
      plain(query, fields).returning(columns.read("User", userFields(store))),
  })
  return {
    async createUser(user) {
      const row = newUserRow(store, user)
      const result = await insert(row)
      return userFromRow(store, { ...row, id: row.id ?? storedId(result) })
    },
    async updateUser({ id, ...changes }) {
      const key = { id: lookupId(codecs, id, "User.id") }
      const found = await change(userToRow(store, changes), key)
      if (found === null) throw new SqlError("missing-row", { operation: "updateUser" })
      return userFromRow(store, found)
    },
  }
}
