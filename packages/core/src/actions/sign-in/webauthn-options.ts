/** `GET webauthn-options/<provider>`: returns the options of a passkey ceremony to the script of a form. */
import { AccountNotLinked, InvalidProvider } from "../../errors.ts"
import {
  createAddPasskeyOptions,
  createAuthenticationOptions,
  createRegistrationOptions,
  describeAcceptedPasskeys,
} from "../../flows/passkeys/webauthn.ts"
import { createHookArguments, resolveUserInfo } from "../../flows/passkeys/webauthn-context.ts"
import { type ActionOutcome, jsonOutcome } from "../../http/action-outcome.ts"
import { isCrossSite } from "../../http/cross-origin.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import { findIdentifierField } from "../../providers/form-fields.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { Action, ProviderContext } from "../action-context.ts"
import { enforceAttemptLimits, enforceRateLimit } from "../limits/enforce-limits.ts"
import { createSessionLinkRequest } from "./link-request.ts"

const factorSubject = loadOnFirstCall(() => import("../second-factor/factor-subject.ts"))

const invalidRequest = jsonOutcome({ error: "Invalid request" }, 400)

export const webauthnOptionsAction: Action = async (context, provider) => {
  const { request, config } = context
  if (provider?.type !== "webauthn")
    throw new InvalidProvider({ expected: "a provider of the type webauthn" })
  // The request stores a challenge, so other sites must not send it.
  if (isCrossSite(request.headers, request.origin, config.trustedOrigins)) return invalidRequest
  return createOptionsOutcome({ ...context, provider })
}

/** `accepted` is no ceremony: it lists the passkeys of the user who is signed in. */
const actions = ["register", "authenticate", "accepted"]

/** Chooses the ceremony and creates its options. The cases are in the table of docs/passkeys.md. */
async function createOptionsOutcome(
  context: ProviderContext<ResolvedWebAuthnProvider>,
): Promise<ActionOutcome> {
  const { request, config, provider } = context
  const action = request.query.getAll("action").at(-1)
  if (action !== undefined && !actions.includes(action))
    return jsonOutcome({ error: "Invalid action" }, 400)
  // As it was typed: what is stored must not show in how attempts are counted.
  const [{ fields }] = createHookArguments(context)
  const field = provider.getUserInfo && findIdentifierField(provider.fields)
  const typed = fields[field ?? "email"] ?? fields["name"]
  await enforceAttemptLimits(context, "webauthn-options", typed)
  if (config.secondFactor && request.query.get("second-factor") === "true") {
    const subject = await factorSubject.findSubject(context)
    if (!subject || action !== "authenticate") return invalidRequest
    const options = await createAuthenticationOptions(context, subject.userId)
    return jsonOutcome({ action, options })
  }
  if (action === "accepted") {
    const session = await createSessionLinkRequest(context)
    if (!session) throw new AccountNotLinked({ expected: "a signed-in user" })
    return jsonOutcome({
      action,
      passkeys: await describeAcceptedPasskeys(context, session.userId),
    })
  }
  const userInfo = (await resolveUserInfo(context)) ?? null
  const identifier = userInfo?.user.email ?? undefined
  await enforceRateLimit(context, "webauthn-options", provider.id, identifier)
  const newUser = userInfo?.exists === false ? userInfo.user : undefined
  const session = action === "authenticate" ? undefined : await createSessionLinkRequest(context)
  if (action === "register") {
    const isLinkRequested = request.query.getAll("link").at(-1) === "true"
    if (isLinkRequested && !session)
      throw new AccountNotLinked({ expected: "a signed-in user who adds the passkey" })
    // Without a user name, the request can only mean the signed-in user.
    if (session && (isLinkRequested || config.implicitLinking || !userInfo)) {
      const isAutomatic = request.query.get("automatic") === "true"
      const options = await createAddPasskeyOptions(context, session, isAutomatic)
      return jsonOutcome({ action, options })
    }
  } else if (session) {
    return invalidRequest
  }
  // Without a custom lookup, offering registration would reveal which addresses are unknown.
  if (action === "register" || (action === undefined && provider.getUserInfo && newUser)) {
    if (!newUser?.email && !newUser?.name) return invalidRequest
    const options = await createRegistrationOptions(context, newUser, null)
    return jsonOutcome({ action: "register", options })
  }
  const userId = userInfo?.exists ? userInfo.user.id : null
  const options = await createAuthenticationOptions(context, userId)
  return jsonOutcome({ action: "authenticate", options })
}
