/** `GET webauthn-options/<provider>`: what a script hands to the browser's own dialogue. */
import { AccountNotLinked, InvalidProvider, TooManyRequests } from "../errors.ts"
import type { LinkRequest } from "../flows/flow-result.ts"
import { type ActionOutcome, jsonOutcome } from "../http/action-outcome.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { isCrossSite } from "../http/csrf.ts"
import type { ResolvedWebAuthnProvider } from "../providers/resolved-provider.ts"
import type { CeremonyOptionsJSON, WebAuthnUserInfo } from "../providers/webauthn-types.ts"
import { createSessionLinkRequest } from "./link-request.ts"
import { type Action, getProvider, type Services } from "./services.ts"
import { enforceRateLimit } from "./signin.ts"

export const webauthnOptionsAction: Action = async (request, services): Promise<ActionOutcome> => {
  const provider = getProvider(request, services.config)
  if (provider?.type !== "webauthn") {
    throw new InvalidProvider({ expected: "a provider of the type webauthn" })
  }
  // It leaves a challenge behind: nobody else's page may ask for one.
  if (isCrossSite(request.headers, request.origin)) return createJsonErrorOutcome("Invalid request")
  try {
    return await createOptionsOutcome(request, services, provider)
  } catch (error) {
    // Asked for by a script, which a page would be of no use to.
    const status = error instanceof TooManyRequests ? 429 : 403
    if (!(error instanceof TooManyRequests || error instanceof AccountNotLinked)) throw error
    services.logger.error(error)
    return createJsonErrorOutcome(error.type, status)
  }
}

function createJsonErrorOutcome(error: string, status = 400): ActionOutcome {
  return jsonOutcome({ error }, status)
}

async function createOptionsOutcome(
  request: ActionRequest,
  services: Services,
  provider: ResolvedWebAuthnProvider,
): Promise<ActionOutcome> {
  const { query } = request
  const action = query.getAll("action").at(-1)
  if (action !== undefined && action !== "register" && action !== "authenticate") {
    return createJsonErrorOutcome("Invalid action")
  }
  const userInfo = (await services.webauthn.getUserInfo(request, provider)) ?? null
  const identifier = userInfo?.user.email ?? undefined
  await enforceRateLimit(request, services, "webauthn-options", provider.id, identifier)
  // A sign-in is a sign-in, whoever was here before.
  const session =
    action === "authenticate" ? undefined : await createSessionLinkRequest(request, services)
  const decision = decideCeremony({
    action,
    session,
    userInfo,
    // The contract's default answers an unknown address with a registration, which tells that it is unknown.
    hasUserLookup: provider.getUserInfo !== undefined,
    linkMode: resolveLinkMode(
      query.getAll("link").at(-1) === "true",
      services.config.implicitLinking,
    ),
  })
  const options = await createCeremonyOptions(decision, request, services, provider)
  if (!options) return createJsonErrorOutcome("Invalid request")
  return jsonOutcome({
    action: decision.kind === "authenticate" ? "authenticate" : "register",
    options,
  })
}

type LinkMode = "requested" | "implicit" | "none"

function resolveLinkMode(isRequested: boolean, isImplicit: boolean): LinkMode {
  if (isRequested) return "requested"
  return isImplicit ? "implicit" : "none"
}

/** All that the decision depends on. */
interface CeremonyRequest {
  readonly action: "register" | "authenticate" | undefined
  /** The session of whoever asks for something else than to sign in. */
  readonly session: LinkRequest | undefined
  /** Who the form says they are. */
  readonly userInfo: WebAuthnUserInfo
  /** Whether the application looks people up by what the form says. */
  readonly hasUserLookup: boolean
  /** Whether the passkey is to be added to the user who is signed in. */
  readonly linkMode: LinkMode
}

type CeremonyDecision =
  | { readonly kind: "authenticate"; readonly owner: string | null }
  | { readonly kind: "sign-up"; readonly userInfo: Extract<WebAuthnUserInfo, { exists: false }> }
  | { readonly kind: "add"; readonly link: LinkRequest }
  | { readonly kind: "refuse" }

/** Table: docs/passkeys.md. Security case 127. */
function decideCeremony({
  action,
  session,
  userInfo,
  hasUserLookup,
  linkMode,
}: CeremonyRequest): CeremonyDecision {
  if (action === "register") {
    if (linkMode === "requested" && !session) {
      throw new AccountNotLinked({ expected: "somebody to be signed in who adds the passkey" })
    }
    // A request that names nobody can only mean the person who is signed in.
    if (session && (linkMode !== "none" || !userInfo)) return { kind: "add", link: session }
    return userInfo?.exists === false ? { kind: "sign-up", userInfo } : { kind: "refuse" }
  }
  if (action === undefined && session) return { kind: "refuse" }
  if (action === undefined && hasUserLookup && userInfo?.exists === false)
    return { kind: "sign-up", userInfo }
  return { kind: "authenticate", owner: userInfo?.exists === true ? userInfo.user.id : null }
}

async function createCeremonyOptions(
  decision: CeremonyDecision,
  request: ActionRequest,
  { webauthn }: Services,
  provider: ResolvedWebAuthnProvider,
): Promise<CeremonyOptionsJSON | undefined> {
  switch (decision.kind) {
    case "authenticate":
      return webauthn.createAuthenticationOptions(request, provider, decision.owner)
    case "sign-up": {
      const { user } = decision.userInfo
      return user.email || user.name
        ? webauthn.createSignUpOptions(request, provider, user)
        : undefined
    }
    case "add":
      return webauthn.createAddPasskeyOptions(request, provider, decision.link)
    case "refuse":
      return undefined
  }
}
