/** A configuration with one user. */
import { type CompiledAuthConfig, CredentialsSignin } from "@latchkey/sveltekit"
import credentials from "@latchkey/sveltekit/providers/credentials"

class WrongPassword extends CredentialsSignin {
  override code = "wrong_password"
}

const password = "wonder&land=ü 100%[x]"

export function createConfig(changes: Partial<CompiledAuthConfig> = {}): CompiledAuthConfig {
  const credentialsProvider = credentials({
    id: "people",
    credentials: { user: {}, password: { type: "password" } },
    authorize({ user, password: receivedPassword }) {
      if (receivedPassword !== password) throw new WrongPassword()
      return { id: `id of ${user}`, name: String(user), email: `${user}@example.com` }
    },
  })
  return {
    providers: [credentialsProvider],
    secret: "a secret of the tests, long enough for it",
    trustHost: true,
    logger: { error() {}, warn() {}, debug() {} },
    ...changes,
  }
}

export const alice = { providerId: "people", user: "alice", password }
