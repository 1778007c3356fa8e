/** The functions that act on stored users for server code. They load with the first call. */
import type { Services } from "../actions/action-context.ts"
import type { RunWithServices } from "../config/core-services.ts"
import type { ServerAuth } from "../latchkey-auth.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import { recordManager } from "../sessions/lazy-records.ts"

const accounts = loadOnFirstCall(() => import("../identity/server-accounts.ts"))
const providerTokens = loadOnFirstCall(() => import("../provider-tokens/get-access-token.ts"))

/** @param run is called with each call, so that framework packages compile the configuration when it is used */
export function createServerAuth(run: RunWithServices<Services>): ServerAuth {
  const runForSessions = <Result>(work: (sessions: ServerAuth["sessions"]) => Promise<Result>) =>
    run(async (services) => work(await recordManager.createSessionManager(services)))
  return {
    accounts: {
      list: (userId) => run((services) => accounts.listLinkedAccounts(services, userId)),
      unlink: (input) => run((services) => accounts.unlinkAccount(services, input)),
    },
    sessions: {
      list: (userId) => runForSessions((sessions) => sessions.list(userId)),
      get: (id) => runForSessions((sessions) => sessions.get(id)),
      revoke: (id) => runForSessions((sessions) => sessions.revoke(id)),
      revokeAll: (...input) => runForSessions((sessions) => sessions.revokeAll(...input)),
      update: (id, data) => runForSessions((sessions) => sessions.update(id, data)),
    },
    passkeys: loadOnFirstCall(async () =>
      (await import("../identity/server-passkeys.ts")).createServerPasskeys(run),
    ),
    factors: loadOnFirstCall(async () =>
      (await import("../identity/server-factors.ts")).createServerFactors(run),
    ),
    users: { delete: (userId) => run((services) => accounts.deleteUser(services, userId)) },
    getAccessToken: (user, provider, options) =>
      run((services) => providerTokens.getAccessToken(services, user, provider, options)),
  }
}
