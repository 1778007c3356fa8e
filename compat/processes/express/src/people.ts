/** Everybody at people.example, whose password is their address: many people who sign in for the first time. */
import { stored } from "./users.ts"

export async function findByPassword(email: unknown, password: unknown) {
  const [, name] = /^([\w-]+)@people\.example$/.exec(String(email)) ?? []
  if (name === undefined || email !== password) return null
  return stored({ id: name, name, email: `${name}@people.example` })
}
