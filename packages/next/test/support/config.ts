/** A configuration with a user name and password, and a provider. */
import { CredentialsSignin, type NextAuthConfig } from "@latchkey/next"
import credentials from "@latchkey/next/providers/credentials"
import { resetAttemptLimits } from "@latchkey/testing/session"

const secret = "a secret of the tests, long enough for it"

const password = "wonder&land=ü 100%[x]"

export const alice = { user: "alice", password }

const silentLogger = { error() {}, warn() {}, debug() {} }

export function createConfig(changes: Partial<NextAuthConfig> = {}): NextAuthConfig {
  // Test files share a process and its counters, and sign in as the same user.
  resetAttemptLimits()
  const credentialsProvider = credentials({
    credentials: { user: {}, password: { type: "password" } },
    authorize({ user, password: receivedPassword }) {
      if (receivedPassword !== password) throw new CredentialsSignin()
      return { id: `id of ${user}`, name: String(user), email: `${user}@example.com` }
    },
  })
  return {
    secret,
    logger: silentLogger,
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" && typeof session?.name === "string"
          ? { ...token, name: session.name }
          : token,
    },
    ...changes,
    providers: [credentialsProvider, ...(changes.providers ?? [])],
  }
}
