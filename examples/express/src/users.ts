/** Users of the database, for users who sign in with a password. */
import { adapter } from "./database.ts"

interface NewUser {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Returns the user of the database. Creates one at the first sign-in. */
export async function findOrCreateUser(person: NewUser) {
  if (!adapter) return person
  const existing = await adapter.getUser(person.id)
  if (existing) return existing
  try {
    return await adapter.createUser({ ...person, emailVerified: null })
  } catch (error) {
    // Another process may have created the user in the meantime.
    const other = await adapter.getUser(person.id)
    if (other) return other
    throw error
  }
}

/** Renames a user of the database. */
export async function renameUser(id: string, name: string): Promise<void> {
  await adapter?.updateUser({ id, name })
}
