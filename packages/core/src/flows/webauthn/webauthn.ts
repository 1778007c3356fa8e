/** Sign-in with passkeys and security keys. */
import type { AdapterAuthenticator } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { MissingAdapter } from "../../errors.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { readTextField } from "../../http/request-body.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { CeremonyOptionsJSON } from "../../providers/webauthn-types.ts"
import type { User } from "../../types.ts"
import type { FlowResult, LinkRequest } from "../flow-result.ts"
import { completeAuthentication } from "./authentication.ts"
import { base64ToBase64Url } from "./base64.ts"
import { ChallengeStore } from "./challenge-store.ts"
import { parseCredential } from "./parse-credential.ts"
import { completeRegistration } from "./registration.ts"
import { selectRelyingParty } from "./relying-party.ts"
import { createVerificationError, loadWebAuthnServer } from "./simplewebauthn.ts"

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

  /**
   * Creates the options for using a passkey.
   *
   * @param userId the user whose passkeys are requested; null requests any passkey that the device has
   */
  async createAuthenticationOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    userId: string | null,
  ): Promise<CeremonyOptionsJSON> {
    const passkeys = userId === null ? [] : await this.#store.listAuthenticatorsByUserId(userId)
    const { id: rpId } = await selectRelyingParty(request, provider)
    const server = await loadWebAuthnServer(provider)
    const options = await server.generateAuthenticationOptions({
      ...provider.authentication,
      rpID: rpId,
      ...(userId === null ? {} : { allowCredentials: passkeys.map(toCredentialDescriptor) }),
    })
    const ceremony = { kind: "authenticate", userId, provider: provider.id, rpId } as const
    await this.#challenges.save(request, options.challenge, ceremony)
    return options
  }

  /**
   * Creates the options for a new passkey.
   *
   * @param linkRequest the request of a session to add a passkey; null for the first passkey of a new user
   */
  async createRegistrationOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    user: User,
    linkRequest: LinkRequest | null,
  ): Promise<CeremonyOptionsJSON> {
    const passkeys = linkRequest
      ? await this.#store.listAuthenticatorsByUserId(linkRequest.userId)
      : []
    const { id: rpId, name: rpName } = await selectRelyingParty(request, provider)
    const server = await loadWebAuthnServer(provider)
    const { authenticatorSelection, ...registration } = provider.registration
    const userName = user.email || user.name || rpName
    const options = await server.generateRegistrationOptions({
      ...registration,
      authenticatorSelection: { ...authenticatorSelection }, // the package changes this object
      rpID: rpId,
      rpName,
      userName,
      userDisplayName: user.name || userName,
      excludeCredentials: passkeys.map(toCredentialDescriptor),
    })
    const ceremony = { kind: "register", user, linkRequest, provider: provider.id, rpId } as const
    await this.#challenges.save(request, options.challenge, ceremony)
    return options
  }

  /** Creates the options for another passkey of the user who is signed in. */
  async createAddPasskeyOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    linkRequest: LinkRequest,
  ): Promise<CeremonyOptionsJSON> {
    const user = await this.#store.getUser(linkRequest.userId)
    if (!user) throw createVerificationError(provider, "the user who is signed in to exist")
    const { name = null, email } = user
    return this.createRegistrationOptions(request, provider, { name, email }, linkRequest)
  }

  /** @throws WebAuthnVerificationError when the response is not valid */
  async completeFlow(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
  ): Promise<FlowResult> {
    const credential = parseCredential(request.body)
    if (!credential) throw createVerificationError(provider, "`data` with the response of a device")
    const { challenge, isCrossOrigin } = credential
    const ceremony = await this.#challenges.consume(request, challenge, provider.id)
    if (!ceremony || ceremony.kind !== readTextField(request.body, "action")) {
      const expected = "a challenge that this browser requested, and that has not been answered yet"
      const hint =
        "The page was open for more than 15 minutes, its cookie was blocked, or it was sent twice."
      throw createVerificationError(provider, expected, { hint })
    }
    // Sections 7.1 step 10 and 7.2 step 13: inside a frame, users do not see for which website they use a passkey.
    if (isCrossOrigin) throw createVerificationError(provider, "a page that is not in a frame")
    const store = this.#store
    const { origins } = await selectRelyingParty(request, provider)
    const server = await loadWebAuthnServer(provider)
    const expected = {
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: ceremony.rpId,
    }
    const response = { provider, store, server, credential, expected }
    return ceremony.kind === "register"
      ? completeRegistration(ceremony, response)
      : completeAuthentication(ceremony, response)
  }
}

function toCredentialDescriptor({ credentialID, transports }: AdapterAuthenticator) {
  const id = base64ToBase64Url(credentialID)
  const list = transports?.split(",").filter(Boolean)
  return list?.length ? { id, transports: list } : { id }
}

/** Logs a missing package when the application starts, not when the first user signs in. */
function logMissingPackage({ config, logger }: CoreServices): void {
  if (config.problems.length > 0) return
  for (const provider of config.providers.values()) {
    if (provider.type === "webauthn")
      loadWebAuthnServer(provider).catch((error) => logger.error(error))
  }
}
