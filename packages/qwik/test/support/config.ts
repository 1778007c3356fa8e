/** A configuration with one user. */
import { CredentialsSignin, type ResumableAuthConfig } from "@latchkey/qwik"
import credentials from "@latchkey/qwik/providers/credentials"

export const secret = "a secret of the tests, long enough for it"

const silentLogger = { error() {}, warn() {}, debug() {} }

const password = "wonder&land=ü 100%[x]"

export const alice = { user: "alice", password }

class AccountLocked extends CredentialsSignin {
  override code = "locked"
}

export function createConfig(changes: Partial<ResumableAuthConfig> = {}): ResumableAuthConfig {
  const credentialsProvider = credentials({
    credentials: { user: {}, password: { type: "password" } },
    authorize({ user, password: receivedPassword }) {
      if (receivedPassword === "locked") throw new AccountLocked()
      if (receivedPassword !== password) throw new CredentialsSignin()
      return { id: `id of ${user}`, name: String(user), email: `${user}@example.com` }
    },
  })
  const pinProvider = credentials({
    id: "pin",
    credentials: { pin: {} },
    authorize: ({ pin }) => (pin === "4711" ? { id: "pia", name: "Pia" } : null),
  })
  return {
    providers: [credentialsProvider, pinProvider],
    secret,
    trustHost: true,
    logger: silentLogger,
    callbacks: {
      jwt({ token, trigger, session }) {
        return trigger === "update" ? { ...token, name: String(session?.name) } : token
      },
    },
    ...changes,
  }
}
