/** Users who sign in with a user name and a password. */
import { randomUUID } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"
import type { Adapter } from "@latchkey/core/adapters"
import { normalizeName } from "../shared/names.ts"
import { hashPassword, verifyPassword } from "./passwords.ts"

/** The fields of the form for a new account. */
export interface JoinForm {
  readonly name: string
  readonly username: string
  readonly password: string
}

/** The error messages of fields. */
export type FieldErrors = Partial<Record<keyof JoinForm, string>>

export interface MemberStore {
  /** Creates a user with a password, or returns errors. */
  createMember(application: JoinForm): Promise<FieldErrors | undefined>
  /** Returns the user with this user name and password. */
  authorize(username: unknown, password: unknown): Promise<{ id: string; name: string } | null>
  /** Returns the user name of a user who has one. */
  getUsername(userId: string): string | undefined
}

const minPasswordLength = 8
const maxPasswordLength = 200

/**
 * Members have a user name and no address. An unverified address must not be stored: with an e-mail link, its real owner
 * would sign in to an account whose password somebody else knows.
 */
export function createMemberStore(
  database: DatabaseSync,
  adapter: Required<Pick<Adapter, "createUser" | "deleteUser">>,
): MemberStore {
  const findByUsername = database.prepare(
    "select userId, name, hash from password join User on User.id = userId where username = ?",
  )
  const findUsername = database.prepare("select username from password where userId = ?")
  const insert = database.prepare(
    "insert into password (userId, username, hash) values (?, ?, ?) on conflict do nothing",
  )
  const usernameTaken = { username: "This user name is taken." }
  return {
    async createMember(form) {
      const { name, username, password } = form
      const errors = validateJoinForm(form)
      if (errors) return errors
      if (findByUsername.get(username)) return usernameTaken
      const hash = await hashPassword(password)
      const newUser = { id: randomUUID(), name, email: "", emailVerified: null }
      const { id } = await adapter.createUser(newUser)
      if (insert.run(id, username, hash).changes === 1) return undefined
      await adapter.deleteUser(id)
      return usernameTaken
    },
    async authorize(username, password) {
      if (typeof username !== "string" || typeof password !== "string") return null
      if (password.length > maxPasswordLength) return null
      const row = findByUsername.get(normalizeUsername(username))
      const hash = row === undefined ? undefined : String(row["hash"])
      if (!(await verifyPassword(password, hash)) || row === undefined) return null
      return { id: String(row["userId"]), name: String(row["name"]) }
    },
    getUsername(userId) {
      const username = findUsername.get(userId)?.["username"]
      return typeof username === "string" ? username : undefined
    },
  }
}

/** Parses the form for a new account. */
export function parseJoinForm(form: Readonly<Record<string, unknown>>): JoinForm {
  const { name, username, password } = form
  return {
    name: normalizeName(name),
    username: normalizeUsername(username),
    password: typeof password === "string" ? password : "",
  }
}

function normalizeUsername(typed: unknown): string {
  return typeof typed === "string" ? typed.normalize("NFKC").trim().toLowerCase() : ""
}

function validateJoinForm({ name, username, password }: JoinForm): FieldErrors | undefined {
  const errors: FieldErrors = {
    ...(name === "" && { name: "Please enter your name." }),
    ...(!/^[a-z0-9][a-z0-9._-]{2,29}$/.test(username) && {
      username: "Use 3 to 30 letters, digits, dots and dashes.",
    }),
    ...(password.length < minPasswordLength && {
      password: `Use at least ${minPasswordLength} characters.`,
    }),
    ...(password.length > maxPasswordLength && {
      password: `Use at most ${maxPasswordLength} characters.`,
    }),
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}
