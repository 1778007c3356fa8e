/** The functions that act on stored users for server code. They load with the first call. */
import type { CoreServices } from "../config/core-services.ts"
import type { ServerAuth } from "../latchkey-auth.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import { getConfigError } from "./config-error.ts"

const listLinkedAccounts = loadOnFirstCall(
  async () => (await import("../identity/linked-accounts.ts")).listLinkedAccounts,
)
const unlinkAccount = loadOnFirstCall(
  async () => (await import("../identity/unlink-account.ts")).unlinkAccount,
)
const deleteUser = loadOnFirstCall(
  async () => (await import("../identity/delete-user.ts")).deleteUser,
)
const loadSessions = loadOnFirstCall(
  async () => (await import("../sessions/records/manage-sessions.ts")).createSessionManager,
)

/** Creates the functions. Their errors are logged, because some frameworks hide them from the caller. */
export function createServerAuth(services: CoreServices): Omit<ServerAuth, "token"> {
  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const configError = getConfigError(services.config)
    if (configError) throw await configError
    try {
      return await work()
    } catch (error) {
      services.logger.error(error)
      throw error
    }
  }
  const getSessions = () => loadSessions(services)
  return {
    accounts: {
      list: (userId) => run(() => listLinkedAccounts(services, userId)),
      unlink: (input) => run(() => unlinkAccount(services, input)),
    },
    sessions: {
      list: (userId) => run(async () => (await getSessions()).list(userId)),
      get: (id) => run(async () => (await getSessions()).get(id)),
      revoke: (id) => run(async () => (await getSessions()).revoke(id)),
      revokeAll: (userId, options) =>
        run(async () => (await getSessions()).revokeAll(userId, options)),
      update: (id, data) => run(async () => (await getSessions()).update(id, data)),
    },
    users: { delete: (userId) => run(() => deleteUser(services, userId)) },
  }
}
