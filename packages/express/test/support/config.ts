/** A configuration with one user. */
import { CredentialsSignin, type MiddlewareAuthConfig } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"
import { resetAttemptLimits } from "@latchkey/testing/session"

export const secret = "a secret of the tests, long enough for it"

const silentLogger = { error() {}, warn() {}, debug() {} }

export const password = "wonder&land=ü 100%[x]"

export function createConfig(changes: Partial<MiddlewareAuthConfig> = {}): MiddlewareAuthConfig {
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
    providers: [credentialsProvider],
    secret,
    trustHost: true,
    logger: silentLogger,
    ...changes,
  }
}

export const alice = { user: "alice", password }
