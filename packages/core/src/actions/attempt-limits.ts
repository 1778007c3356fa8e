/** Refuses attempts to guess passwords and codes, and to flood mailboxes. */
import type { AttemptScope, LimitedAction } from "../config/attempt-limits.ts"
import { TooManyRequests } from "../errors.ts"
import { parseClientNetwork } from "../http/client-network.ts"
import type { ActionContext } from "./action-context.ts"

/**
 * Counts an attempt by the network of the client, by the account and the network, and by the account, and stops at the
 * first limit that it exceeds. So an attempt that its network is refused for does not count against the account.
 *
 * @param identifier of the account, as the visitor typed it
 * @throws TooManyRequests, which is the same whether the account exists or not
 */
export async function enforceAttemptLimits(
  { request, config, hasher, attempts }: ActionContext,
  action: LimitedAction,
  provider: string,
  identifier: string | undefined,
): Promise<void> {
  const network = parseClientNetwork(request.clientAddress)
  const account = identifier?.normalize("NFKC").toLowerCase().trim()
  const counted: Readonly<Record<AttemptScope, readonly (string | undefined)[]>> = {
    network: [network],
    identifierAndNetwork: [account, network],
    identifier: [account],
  }
  for (const scope of ["network", "identifierAndNetwork", "identifier"] as const) {
    const limit = config.attemptLimits[action][scope]
    if (!limit || counted[scope].includes(undefined)) continue
    const text = JSON.stringify([action, provider, scope, ...counted[scope]])
    const key = await hasher.hash("attempt", text)
    const { count, expires } = await attempts.count(key, limit.window)
    if (scope !== "network") request.attemptKeys.push(key)
    if (count <= limit.max) continue
    throw new TooManyRequests({
      provider,
      action,
      expected: `at most ${limit.max} attempts within ${limit.window} s for this ${scopeNames[scope]}`,
      hint: `Wait, or change \`attemptLimits["${action}"].${scope}\`.`,
      retryAfter: Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000)),
      isRepeated: count > limit.max + 1,
    })
  }
}

const scopeNames: Readonly<Record<AttemptScope, string>> = {
  network: "network",
  identifierAndNetwork: "account and network",
  identifier: "account",
}

/** Forgets the attempts for an account whose owner has signed in. Those of the network still count. */
export async function resetAttempts({ request, attempts }: ActionContext): Promise<void> {
  await Promise.all(request.attemptKeys.map((key) => attempts.reset(key)))
}
