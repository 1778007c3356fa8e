/** A configuration that lets one person in. */
import { CredentialsSignin, type MiddlewareAuthConfig } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"

export const secret = "a secret of the tests, long enough for it"

export const silent = { error() {}, warn() {}, debug() {} }

export const password = "wonder&land=ü 100%[x]"

export function configOf(changes: Partial<MiddlewareAuthConfig> = {}): MiddlewareAuthConfig {
  const people = credentials({
    credentials: { user: {}, password: { type: "password" } },
    authorize({ user, password: given }) {
      if (given !== password) throw new CredentialsSignin()
      return { id: `id of ${user}`, name: String(user), email: `${user}@example.com` }
    },
  })
  return { providers: [people], secret, trustHost: true, logger: silent, ...changes }
}

export const alice = { user: "alice", password }
