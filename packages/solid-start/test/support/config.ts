/** A configuration with one user. */
import { CredentialsSignin, type ReactiveAuthConfig } from "@latchkey/solid-start"
import credentials from "@latchkey/solid-start/providers/credentials"

export const secret = "a secret of the tests, long enough for it"

const silentLogger = { error() {}, warn() {}, debug() {} }

export const password = "wonder&land=ü 100%[x]"

const callbacks: NonNullable<ReactiveAuthConfig["callbacks"]> = {
  jwt: ({ token, trigger, session }) =>
    trigger === "update" && typeof session?.name === "string"
      ? { ...token, name: session.name }
      : token,
}

export function createConfig(changes: Partial<ReactiveAuthConfig> = {}): ReactiveAuthConfig {
  const credentialsProvider = credentials({
    credentials: { user: {}, password: { type: "password" } },
    authorize({ user, password: receivedPassword }) {
      if (receivedPassword !== password) throw new CredentialsSignin()
      return { id: `id of ${user}`, name: String(user), email: `${user}@example.com` }
    },
  })
  return {
    providers: [credentialsProvider],
    secret,
    trustHost: true,
    logger: silentLogger,
    callbacks,
    ...changes,
  }
}

export const alice = { user: "alice", password }
