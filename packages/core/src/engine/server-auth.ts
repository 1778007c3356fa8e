/** The functions that act on stored users for server code. They load with the first call. */
import type { Services } from "../actions/action-context.ts"
import type { ServerAuth } from "../latchkey-auth.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"

const listLinkedAccounts = loadOnFirstCall(
  async () => (await import("../identity/server-accounts.ts")).listLinkedAccounts,
)
const unlinkAccount = loadOnFirstCall(
  async () => (await import("../identity/server-accounts.ts")).unlinkAccount,
)
const deleteUser = loadOnFirstCall(
  async () => (await import("../identity/server-accounts.ts")).deleteUser,
)
const getSessions = loadOnFirstCall(
  async () => (await import("../sessions/records/manage-sessions.ts")).createSessionManager,
)
const getAccessToken = loadOnFirstCall(
  async () => (await import("../provider-tokens/get-access-token.ts")).getAccessToken,
)

/** Runs work with the services of a configuration. */
export type RunWithServices = <Result>(
  work: (services: Services) => Promise<Result>,
) => Promise<Result>

/** @param run is called with each call, so that framework packages compile the configuration when it is used */
export function createServerAuth(run: RunWithServices): ServerAuth {
  return {
    accounts: {
      list: (userId) => run((services) => listLinkedAccounts(services, userId)),
      unlink: (input) => run((services) => unlinkAccount(services, input)),
    },
    sessions: {
      list: (userId) => run(async (services) => (await getSessions(services)).list(userId)),
      get: (id) => run(async (services) => (await getSessions(services)).get(id)),
      revoke: (id) => run(async (services) => (await getSessions(services)).revoke(id)),
      revokeAll: (userId, options) =>
        run(async (services) => (await getSessions(services)).revokeAll(userId, options)),
      update: (id, data) => run(async (services) => (await getSessions(services)).update(id, data)),
    },
    users: { delete: (userId) => run((services) => deleteUser(services, userId)) },
    getAccessToken: (user, provider, options) =>
      run((services) => getAccessToken(services, user, provider, options)),
  }
}
