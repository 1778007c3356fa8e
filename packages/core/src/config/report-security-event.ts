/** Reports security events to the application. */
import { parseClientNetwork } from "../http/private-hosts.ts"
import type { SessionContext } from "../http/session-context.ts"
import type { SessionServices } from "./core-services.ts"
import type { SecurityEvent, SecurityEventFacts, SecurityEventType } from "./security-events.ts"

/**
 * Calls the handler `events.security`, and waits for it: what a response tells has been recorded. Never rejects.
 *
 * @param context the request; undefined if server code did it
 */
export async function reportSecurityEvent<Type extends SecurityEventType>(
  { config, emitEvent }: Pick<SessionServices, "config" | "emitEvent">,
  type: Type,
  facts: SecurityEventFacts<Type>,
  context?: SessionContext,
): Promise<void> {
  if (!config.events.security) return
  const actor = context ? "browser" : "server"
  const network = context && parseClientNetwork(context.source.clientAddress)
  const event = { type, at: new Date(), actor, network, ...facts }
  await emitEvent("security", event as SecurityEvent, context)
}
