/** A configuration that lets one person in. */
import { CredentialsSignin, type ResumableAuthConfig } from "@latchkey/qwik"
import credentials from "@latchkey/qwik/providers/credentials"

export const secret = "a secret of the tests, long enough for it"

const silent = { error() {}, warn() {}, debug() {} }

const password = "wonder&land=ü 100%[x]"

export const alice = { user: "alice", password }

class LockedOut extends CredentialsSignin {
  override code = "locked"
}

export function configOf(changes: Partial<ResumableAuthConfig> = {}): ResumableAuthConfig {
  const people = credentials({
    credentials: { user: {}, password: { type: "password" } },
    authorize({ user, password: given }) {
      if (given === "locked") throw new LockedOut()
      if (given !== password) throw new CredentialsSignin()
      return { id: `id of ${user}`, name: String(user), email: `${user}@example.com` }
    },
  })
  const pin = credentials({
    id: "pin",
    credentials: { pin: {} },
    authorize: ({ pin }) => (pin === "4711" ? { id: "pia", name: "Pia" } : null),
  })
  return {
    providers: [people, pin],
    secret,
    trustHost: true,
    logger: silent,
    callbacks: {
      jwt({ token, trigger, session }) {
        return trigger === "update" ? { ...token, name: String(session?.name) } : token
      },
    },
    ...changes,
  }
}
