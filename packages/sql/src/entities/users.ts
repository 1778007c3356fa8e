import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import type { Compilable } from "kysely"
import { BoundedMap } from "../bounded-map.ts"
import { SqlError } from "../errors.ts"
import { bind, slot, slots, type Values } from "../query.ts"
import { lookup, stored } from "../schema/stored.ts"
import { prepared, type Query, type Store, templateOf } from "../store.ts"
import { first, updating } from "../touching.ts"
import { userColumns, userFromRow, userToRow } from "./user-row.ts"

type UserMethods = Required<
  Pick<
    Adapter,
    "createUser" | "deleteUser" | "getUser" | "getUserByAccount" | "getUserByEmail" | "updateUser"
  >
>

/** The methods for users. */
export function users(store: Store): UserMethods {
  return { ...reading(store), ...writing(store), deleteUser: deletion(store) }
}

function reading(
  store: Store,
): Pick<UserMethods, "getUser" | "getUserByAccount" | "getUserByEmail"> {
  const columns = userColumns(store).map((column) => `User.${column}` as const)
  const byId = first(store, "getUser", (query) =>
    query.selectFrom("User").select(columns).where("id", "=", slot("id")),
  )
  const byEmail = first(store, "getUserByEmail", (query) =>
    query.selectFrom("User").select(columns).where("email", "=", slot("email")),
  )
  const byAccount = first(store, "getUserByAccount", (query) =>
    query
      .selectFrom("Account")
      .innerJoin("User", "User.id", "Account.userId")
      .select(columns)
      .where("Account.provider", "=", slot("provider"))
      .where("Account.providerAccountId", "=", slot("providerAccountId")),
  )
  async function find(search: typeof byId, values: Values): Promise<AdapterUser | null> {
    const row = Object.values(values).includes(null) ? null : await search(values)
    return row && userFromRow(store, row)
  }
  return {
    getUser: async (id) => find(byId, { id: lookup(id, "User.id") }),
    // People without an address are stored with none: the empty one finds nobody.
    getUserByEmail: async (email) => find(byEmail, { email: lookup(email, "User.email") }),
    getUserByAccount: async ({ provider, providerAccountId }) =>
      find(byAccount, {
        provider: lookup(provider, "Account.provider"),
        providerAccountId: lookup(providerAccountId, "Account.providerAccountId"),
      }),
  }
}

/** The statement that stores a user. */
export function insertUser(store: Store): (query: Query) => Compilable {
  return (query) => query.insertInto("User").values(slots(userColumns(store)))
}

/** A row with every column of a new user. */
export function newUserRow(
  store: Store,
  user: AdapterUser,
): Record<string, unknown> & { id: unknown } {
  const id = stored(store.codecs, "User.id", "key", user.id ?? crypto.randomUUID())
  const row = { name: null, email: null, emailVerified: null, image: null, id }
  return { ...row, ...userToRow(store, user) }
}

function writing(store: Store): Pick<UserMethods, "createUser" | "updateUser"> {
  const insert = prepared(store, "createUser", insertUser(store))
  const updates = new BoundedMap<string, ReturnType<typeof updating>>(32)

  function update(columns: readonly string[]): ReturnType<typeof updating> {
    const name = columns.join()
    const known = updates.get(name)
    if (known) return known
    const made = updateOf(store, columns)
    updates.set(name, made)
    return made
  }

  return {
    async createUser(user) {
      const row = newUserRow(store, user)
      await insert(row)
      return userFromRow(store, row)
    },
    async updateUser({ id, ...changes }) {
      const row = userToRow(store, changes)
      const found = await update(Object.keys(row))({ ...row, id: lookup(id, "User.id") })
      if (found === null) throw new SqlError("missing-row", { operation: "updateUser" })
      return userFromRow(store, found)
    },
  }
}

function updateOf(store: Store, columns: readonly string[]): ReturnType<typeof updating> {
  const read = (query: Query) =>
    query.selectFrom("User").select(userColumns(store)).where("id", "=", slot("id"))
  if (columns.length === 0) return first(store, "updateUser", read)
  const plain = (query: Query) =>
    query.updateTable("User").set(slots(columns)).where("id", "=", slot("id"))
  const returning = (query: Query) => plain(query).returning(userColumns(store))
  return updating(store, "updateUser", { plain, returning, read })
}

/** Accounts, sessions and passkeys go with the user by foreign keys; e-mail tokens know only the address. */
function deletion(store: Store): UserMethods["deleteUser"] {
  const read = first(store, "deleteUser", (query) =>
    query.selectFrom("User").select(userColumns(store)).where("id", "=", slot("id")),
  )
  const removeTokens = templateOf(store, (query) =>
    query
      .deleteFrom("VerificationToken")
      .where(
        "identifier",
        "=",
        query.selectFrom("User").select("email").where("id", "=", slot("id")),
      ),
  )
  const removeUser = templateOf(store, (query) =>
    query.deleteFrom("User").where("id", "=", slot("id")),
  )
  return async (id) => {
    const values = { id: lookup(id, "User.id") }
    const row = await read(values)
    if (row === null) return null
    await store.transaction("deleteUser", [
      bind(removeTokens(), values),
      bind(removeUser(), values),
    ])
    return userFromRow(store, row)
  }
}
