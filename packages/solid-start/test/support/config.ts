/** A configuration that lets one person in. */
import { CredentialsSignin, type ReactiveAuthConfig } from "@latchkey/solid-start"
import credentials from "@latchkey/solid-start/providers/credentials"

export const secret = "a secret of the tests, long enough for it"

const silent = { error() {}, warn() {}, debug() {} }

export const password = "wonder&land=ü 100%[x]"

const callbacks: NonNullable<ReactiveAuthConfig["callbacks"]> = {
  jwt: ({ token, trigger, session }) =>
    trigger === "update" && typeof session?.name === "string"
      ? { ...token, name: session.name }
      : token,
}

export function configOf(changes: Partial<ReactiveAuthConfig> = {}): ReactiveAuthConfig {
  const people = credentials({
    credentials: { user: {}, password: { type: "password" } },
    authorize({ user, password: given }) {
      if (given !== password) throw new CredentialsSignin()
      return { id: `id of ${user}`, name: String(user), email: `${user}@example.com` }
    },
  })
  return { providers: [people], secret, trustHost: true, logger: silent, callbacks, ...changes }
}

export const alice = { user: "alice", password }
