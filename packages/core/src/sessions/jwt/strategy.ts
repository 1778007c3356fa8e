/** Sessions in a sealed cookie. */
import type { CoreServices } from "../../config/core-services.ts"
import { isChunkRepeated } from "../../http/cookie-chunks.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import { type CheckResult, haveSeveralUsers, type SessionStrategy } from "../session-strategy.ts"
import { checkSession, getChecks } from "./check-session.ts"
import {
  createSessionError,
  renewToken,
  serializeClaims,
  updateToken,
  writeToken,
} from "./update-session.ts"

/** Loads with the first sign-in. */
const { startSession } = loadOnFirstCall(() => import("./start-session.ts"))
/** Loads with the first second factor that is proven in a session. */
const { addFactor } = loadOnFirstCall(() => import("./add-factor.ts"))
/** Loads with the first sign-out. */
const { endSession } = loadOnFirstCall(() => import("./end-session.ts"))

export function createJwtStrategy(services: CoreServices): SessionStrategy {
  return {
    checkSession: (context) => checkSession(services, context),
    async hasSeveralUsers(context) {
      await checkSession(services, context)
      return (
        isChunkRepeated(context.cookies, context.cookieDefinitions.sessionToken) ||
        haveSeveralUsers(getChecks(context))
      )
    },
    revalidateSession: (context) => revalidateSession(services, context),
    async getSessionBinding(context) {
      const check = await checkSession(services, context)
      return check.kind === "valid" ? check.userId : ""
    },
    startSession: (context, signInResult) => startSession(services, context, signInResult),
    replaceToken: (context, token) => writeToken(services, context, token, true),
    addFactor: (context, factor) => addFactor(services, context, factor),
    endSession: (context) => endSession(services, context),
  }
}

async function revalidateSession(
  services: CoreServices,
  context: SessionContext,
): Promise<CheckResult> {
  const { config } = services
  const check = await checkSession(services, context)
  if (check.kind !== "valid") return check
  try {
    const token = await updateToken(config, context, structuredClone(check.token), undefined)
    if (token === null) return { kind: "expired" }
    if (serializeClaims(config, token) !== serializeClaims(config, check.token))
      await renewToken(services, context, token, true)
    return { ...check, token }
  } catch (cause) {
    return { kind: "unavailable", error: createSessionError(cause) }
  }
}
