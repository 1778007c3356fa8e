/** Sign-in with passkeys and security keys. */
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { MissingAdapter, WebAuthnVerificationError } from "../../errors.ts"
import { type ActionRequest, readTextField } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { CeremonyOptionsJSON, WebAuthnUserInfo } from "../../providers/webauthn-types.ts"
import type { User } from "../../types.ts"
import type { FlowResult, LinkRequest } from "../flow-result.ts"
import { completeAuthentication } from "./authentication.ts"
import {
  createAuthenticationOptions,
  createRegistrationOptions,
  type Registrant,
} from "./ceremony-options.ts"
import { ChallengeStore } from "./challenge-store.ts"
import { type ParsedCredential, parseCredential } from "./parse-credential.ts"
import { resolveUserInfo } from "./provider-hooks.ts"
import { completeRegistration } from "./registration.ts"
import { loadWebAuthnServer } from "./simplewebauthn.ts"

export class WebAuthnFlow {
  readonly #services: CoreServices
  readonly #challenges: ChallengeStore

  constructor(services: CoreServices) {
    this.#services = services
    this.#challenges = new ChallengeStore(services)
    logMissingPackage(services)
  }

  get #store(): AdapterStore {
    if (this.#services.store) return this.#services.store
    throw new MissingAdapter({ hint: "Passkeys are kept in a database: set `adapter`." })
  }

  /** Returns the user whom a form describes; null when it describes none. */
  getUserInfo(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
  ): Promise<WebAuthnUserInfo> {
    return resolveUserInfo(request, provider)
  }

  /** @param userId the user whose passkeys are requested; null requests any passkey that the device has */
  async createAuthenticationOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    userId: string | null,
  ): Promise<CeremonyOptionsJSON> {
    const owner =
      userId === null
        ? null
        : { id: userId, passkeys: await this.#store.listAuthenticatorsByUserId(userId) }
    return createAuthenticationOptions(request, provider, this.#challenges, owner)
  }

  /** Requests the first passkey of a new user. */
  createSignUpOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    user: User,
  ): Promise<CeremonyOptionsJSON> {
    const registrant: Registrant = { user, linkRequest: null, passkeys: [] }
    return createRegistrationOptions(request, provider, this.#challenges, registrant)
  }

  /** Requests another passkey of the user who is signed in. */
  async createAddPasskeyOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    linkRequest: LinkRequest,
  ): Promise<CeremonyOptionsJSON> {
    const user = await this.#store.getUser(linkRequest.userId)
    if (!user) throw createError(provider, "the user who is signed in to exist")
    const passkeys = await this.#store.listAuthenticatorsByUserId(user.id)
    const { name = null, email } = user
    const registrant: Registrant = { user: { name, email }, linkRequest, passkeys }
    return createRegistrationOptions(request, provider, this.#challenges, registrant)
  }

  /** @throws WebAuthnVerificationError when the response is not valid */
  async completeFlow(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
  ): Promise<FlowResult> {
    const action = readTextField(request.body, "action")
    const credential = parseCredential(request.body)
    if (!credential) throw createError(provider, "`data` with the response of a device")
    const { challenge, isCrossOrigin } = credential
    const ceremony = await this.#challenges.consume(request, challenge, provider.id)
    if (!ceremony || ceremony.kind !== action) {
      throw createError(
        provider,
        "a challenge that this browser requested, and that has not been answered yet",
        "The page was open for more than 15 minutes, its cookie was blocked, or it was sent twice.",
      )
    }
    // Sections 7.1 step 10 and 7.2 step 13: inside a frame, users do not see for which website they use a passkey.
    if (isCrossOrigin) throw createError(provider, "a page that is not in a frame")
    const store = this.#store
    return ceremony.kind === "register"
      ? completeRegistration(request, provider, store, ceremony, castResponse(credential))
      : completeAuthentication(request, provider, store, ceremony, castResponse(credential))
  }
}

/** The verifying package checks the kind of a response (`type` of the client data). */
function castResponse<Response>(credential: ParsedCredential<unknown>): ParsedCredential<Response> {
  return credential as ParsedCredential<Response>
}

function createError(
  { id }: ResolvedWebAuthnProvider,
  expected: string,
  hint?: string,
): WebAuthnVerificationError {
  return new WebAuthnVerificationError({ provider: id, expected, ...(hint ? { hint } : {}) })
}

/** Logs a missing package when the application starts, not when the first user signs in. */
function logMissingPackage({ config, logger }: CoreServices): void {
  if (config.problems.length > 0) return
  for (const provider of config.providers.values()) {
    if (provider.type === "webauthn")
      loadWebAuthnServer(provider).catch((error) => logger.error(error))
  }
}
