/** Raises the level of sessions in a sealed cookie. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { readSessionFacts, toFactsClaim } from "../session-facts.ts"
import type { ProvenFactor } from "../session-strategy.ts"
import { checkSession } from "./check-session.ts"
import { writeToken } from "./update-session.ts"

/** See `SessionStrategy.addFactor`. */
export async function addFactor(
  services: SessionServices,
  context: SessionContext,
  factor: ProvenFactor,
): Promise<void> {
  const check = await checkSession(services, context)
  if (check.kind !== "valid") return
  const claim = toFactsClaim({ ...readSessionFacts(check.token), ...factor })
  await writeToken(services, context, { ...check.token, ...claim }, true)
}
