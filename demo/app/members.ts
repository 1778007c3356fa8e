/** People who sign in with a user name and a password. */
import { randomUUID } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"
import type { Adapter } from "@latchkey/core/adapters"
import { tidyName } from "../shared/names.ts"
import { hashPassword, isPassword } from "./passwords.ts"

/** What the form for a new account holds. */
export interface Application {
  readonly name: string
  readonly username: string
  readonly password: string
}

/** What is wrong with a field. */
export type Problems = Partial<Record<keyof Application, string>>

export interface Members {
  /** Creates a user with a password, or says what is wrong. */
  join(application: Application): Promise<Problems | undefined>
  /** The user whose name and password it is. */
  authorize(username: unknown, password: unknown): Promise<{ id: string; name: string } | null>
  /** The user name of somebody who has one. */
  usernameOf(userId: string): string | undefined
}

const shortestPassword = 8
const longestPassword = 200

/**
 * Members have a user name, not an address: an address that nobody has proved is never kept, because the
 * e-mail link would let its real owner into an account that somebody else has the password of.
 */
export function createMembers(
  database: DatabaseSync,
  adapter: Required<Pick<Adapter, "createUser" | "deleteUser">>,
): Members {
  const find = database.prepare(
    "select userId, name, hash from password join User on User.id = userId where username = ?",
  )
  const usernames = database.prepare("select username from password where userId = ?")
  const insert = database.prepare(
    "insert into password (userId, username, hash) values (?, ?, ?) on conflict do nothing",
  )
  const taken = { username: "Somebody has this user name already." }
  return {
    async join(application) {
      const { name, username, password } = application
      const problems = problemsOf(application)
      if (problems) return problems
      if (find.get(username)) return taken
      const hash = await hashPassword(password)
      const draft = { id: randomUUID(), name, email: "", emailVerified: null }
      const { id } = await adapter.createUser(draft)
      if (insert.run(id, username, hash).changes === 1) return undefined
      await adapter.deleteUser(id)
      return taken
    },
    async authorize(username, password) {
      if (typeof username !== "string" || typeof password !== "string") return null
      if (password.length > longestPassword) return null
      const row = find.get(tidyUsername(username))
      const hash = row === undefined ? undefined : String(row["hash"])
      if (!(await isPassword(password, hash)) || row === undefined) return null
      return { id: String(row["userId"]), name: String(row["name"]) }
    },
    usernameOf(userId) {
      const username = usernames.get(userId)?.["username"]
      return typeof username === "string" ? username : undefined
    },
  }
}

/** Reads the form for a new account. */
export function applicationOf(form: Readonly<Record<string, unknown>>): Application {
  const { name, username, password } = form
  return {
    name: tidyName(name),
    username: tidyUsername(username),
    password: typeof password === "string" ? password : "",
  }
}

function tidyUsername(typed: unknown): string {
  return typeof typed === "string" ? typed.normalize("NFKC").trim().toLowerCase() : ""
}

function problemsOf({ name, username, password }: Application): Problems | undefined {
  const problems: Problems = {
    ...(name === "" && { name: "Please tell us your name." }),
    ...(!/^[a-z0-9][a-z0-9._-]{2,29}$/.test(username) && {
      username: "Use 3 to 30 letters, digits, dots and dashes.",
    }),
    ...(password.length < shortestPassword && {
      password: `Use at least ${shortestPassword} characters.`,
    }),
    ...(password.length > longestPassword && {
      password: `Use at most ${longestPassword} characters.`,
    }),
  }
  return Object.keys(problems).length > 0 ? problems : undefined
}
