import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import type { Compilable } from "kysely"
import { SqlError } from "../errors.ts"
import { preparePartialUpdate } from "../partial-update.ts"
import { prepareFindFirst } from "../row-statements.ts"
import { encodeValue, toLookupId, toLookupText } from "../schema/encode-value.ts"
import { getInsertedId } from "../statement-batch.ts"
import { namedParameter, type ParameterValues } from "../statement-template.ts"
import { prepareStatement, type QueryBuilder, type Store } from "../store.ts"
import { createInsertQuery } from "./insert-query.ts"
import { allUserFields, userFromRow, userToRow } from "./user-row.ts"

type UserMethods = Required<
  Pick<
    Adapter,
    | "countUnprovenUsers"
    | "createUser"
    | "getUser"
    | "getUserByAccount"
    | "getUserByEmail"
    | "updateUser"
  >
>

export function createUserMethods(store: Store): UserMethods {
  return { ...createReadMethods(store), ...createWriteMethods(store) }
}

/** Builds the query for a user by id. */
export function selectUserById(store: Store): (query: QueryBuilder) => Compilable {
  const { columns } = store
  return (query) =>
    query
      .selectFrom("User")
      .select(columns.selections("User", allUserFields(store)))
      .where(columns.ref("User", "id"), "=", namedParameter("id"))
}

function createReadMethods(
  store: Store,
): Pick<UserMethods, "countUnprovenUsers" | "getUser" | "getUserByAccount" | "getUserByEmail"> {
  const { codecs, columns } = store
  const byId = prepareFindFirst(store, "getUser", selectUserById(store))
  const byEmail = prepareFindFirst(store, "getUserByEmail", (query) =>
    query
      .selectFrom("User")
      .select(columns.selections("User", allUserFields(store)))
      .where(columns.ref("User", "email"), "=", namedParameter("email")),
  )
  const byAccount = prepareStatement(store, "getUserByAccount", selectUserByAccount(store))
  const countUnproven = prepareFindFirst(store, "countUnprovenUsers", (query) =>
    query
      .selectFrom("User")
      .select((expression) => expression.fn.countAll().as("count"))
      .where(columns.ref("User", "email"), "is not", null)
      .where(columns.ref("User", "emailVerified"), "is", null),
  )
  async function find(search: typeof byId, values: ParameterValues): Promise<AdapterUser | null> {
    const row = Object.values(values).includes(null) ? null : await search(values)
    return row && userFromRow(store, row)
  }
  return {
    countUnprovenUsers: async () => Number((await countUnproven({}))?.["count"]),
    getUser: async (id) => find(byId, { id: toLookupId(codecs, id, "User.id") }),
    // Users without an address have NULL: an empty address finds nobody.
    getUserByEmail: async (email) =>
      find(byEmail, { email: toLookupText(codecs, email, "User.email") }),
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const key = {
        provider: toLookupText(codecs, provider, "Account.provider"),
        providerAccountId: toLookupText(codecs, providerAccountId, "Account.providerAccountId"),
      }
      const { rows } = await byAccount(key)
      // The collation of the columns may treat other keys as equal.
      const row = rows.find(
        (each) =>
          each["$provider"] === key.provider &&
          String(each["$providerAccountId"]) === key.providerAccountId,
      )
      return row ? userFromRow(store, row) : null
    },
  }
}

const accountKeyFields = ["provider", "providerAccountId"] as const

function selectUserByAccount(store: Store): (query: QueryBuilder) => Compilable {
  const { columns } = store
  return (query) =>
    query
      .selectFrom("Account")
      .innerJoin("User", (join) =>
        join.on(columns.qualifiedRef("User", "id"), "=", columns.qualifiedRef("Account", "userId")),
      )
      .select(columns.qualifiedSelections("User", allUserFields(store)))
      // No field of a user can have such a name.
      .select(columns.qualifiedSelections("Account", accountKeyFields, (field) => `$${field}`))
      .where(columns.qualifiedRef("Account", "provider"), "=", namedParameter("provider"))
      .where(
        columns.qualifiedRef("Account", "providerAccountId"),
        "=",
        namedParameter("providerAccountId"),
      )
}

/** Builds the statement that stores a user. */
export function insertUser(store: Store): (query: QueryBuilder) => Compilable {
  const fields = allUserFields(store).filter((field) => field !== "id")
  return createInsertQuery(store, "User", fields)
}

/** Creates a row with every column of a new user. Its id is null if the database makes ids. */
export function createUserRow(
  store: Store,
  user: AdapterUser,
): Record<string, unknown> & { id: unknown } {
  const hasDatabaseId = store.codecs.id.source === "database"
  const id = hasDatabaseId
    ? null
    : encodeValue(store.codecs, "User.id", "id", user.id ?? crypto.randomUUID())
  const row = { name: null, email: null, emailVerified: null, image: null, id }
  return { ...row, ...userToRow(store, user) }
}

function createWriteMethods(store: Store): Pick<UserMethods, "createUser" | "updateUser"> {
  const { codecs, columns } = store
  const insert = prepareStatement(store, "createUser", insertUser(store))
  const byId = columns.ref("User", "id")
  const plain = (query: QueryBuilder, fields: readonly string[]) =>
    query
      .updateTable("User")
      .set(columns.namedParameters("User", fields))
      .where(byId, "=", namedParameter("id"))
  const change = preparePartialUpdate(store, "updateUser", {
    read: selectUserById(store),
    plain,
    returning: (query, fields) =>
      plain(query, fields).returning(columns.selections("User", allUserFields(store))),
  })
  return {
    async createUser(user) {
      const row = createUserRow(store, user)
      const result = await insert(row)
      return userFromRow(store, { ...row, id: row.id ?? getInsertedId(result) })
    },
    async updateUser({ id, ...changes }) {
      const key = { id: toLookupId(codecs, id, "User.id") }
      const found = await change(userToRow(store, changes), key)
      if (found === null) throw new SqlError("not-found", { operation: "updateUser" })
      return userFromRow(store, found)
    },
  }
}
