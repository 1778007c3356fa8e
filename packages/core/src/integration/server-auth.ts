import type { Engine } from "../engine.ts"
import type { ServerAuth } from "../latchkey-auth.ts"

/**
 * Creates the functions for server code of a framework package.
 *
 * @param call finds the engine with each call, passes it on, and returns the result
 */
export function createServerAuth(
  call: <Result>(use: (engine: Engine) => Promise<Result>) => Promise<Result>,
): ServerAuth {
  return {
    accounts: {
      list: (userId) => call(({ accounts }) => accounts.list(userId)),
      unlink: (input) => call(({ accounts }) => accounts.unlink(input)),
    },
    sessions: {
      list: (userId) => call(({ sessions }) => sessions.list(userId)),
      get: (id) => call(({ sessions }) => sessions.get(id)),
      revoke: (id) => call(({ sessions }) => sessions.revoke(id)),
      revokeAll: (userId, options) => call(({ sessions }) => sessions.revokeAll(userId, options)),
      update: (id, data) => call(({ sessions }) => sessions.update(id, data)),
    },
    token: (provider, userId, options) =>
      call(async (engine) => {
        const { cookies: _, ...token } = await engine.token(provider, userId, options)
        return token
      }),
    users: { delete: (userId) => call(({ users }) => users.delete(userId)) },
  }
}
