/** Accepts everybody at people.example with their address as the password: many users who sign in for the first time. */
import { findOrCreateUser } from "./users.ts"

export async function findByPassword(email: unknown, password: unknown) {
  const [, name] = /^([\w-]+)@people\.example$/.exec(String(email)) ?? []
  if (name === undefined || email !== password) return null
  return findOrCreateUser({ id: name, name, email: `${name}@people.example` })
}
