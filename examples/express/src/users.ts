/** People with a password as users of the database, where there is one. */
import { adapter } from "./database.ts"

interface NewUser {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Somebody as the database has them. Who signs in for the first time becomes a user of it. */
export async function findOrCreateUser(person: NewUser) {
  if (!adapter) return person
  const existing = await adapter.getUser(person.id)
  if (existing) return existing
  try {
    return await adapter.createUser({ ...person, emailVerified: null })
  } catch (error) {
    // Another process may have been faster.
    const other = await adapter.getUser(person.id)
    if (other) return other
    throw error
  }
}

/** Gives a user of the database another name. */
export async function renameUser(id: string, name: string): Promise<void> {
  await adapter?.updateUser({ id, name })
}
