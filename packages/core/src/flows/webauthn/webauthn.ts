/** Sign-in with passkeys and security keys. */
import type { AdapterAuthenticator } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { MissingAdapter } from "../../errors.ts"
import { type ActionRequest, readTextField } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { CeremonyOptionsJSON, WebAuthnUserInfo } from "../../providers/webauthn-types.ts"
import type { User } from "../../types.ts"
import type { FlowResult, LinkRequest } from "../flow-result.ts"
import { completeAuthentication } from "./authentication.ts"
import { createAuthenticationOptions, createRegistrationOptions } from "./ceremony-options.ts"
import { createChallengeStore } from "./challenge-store.ts"
import { type ParsedCredential, parseCredential } from "./parse-credential.ts"
import { completeRegistration } from "./registration.ts"
import { loadWebAuthnServer } from "./simplewebauthn.ts"
import { resolveUserInfo } from "./user-info.ts"
import { createVerificationError } from "./verification-error.ts"

export interface WebAuthnFlow {
  /** Who a form is about; null when it says nothing of use. */
  getUserInfo(request: ActionRequest, provider: ResolvedWebAuthnProvider): Promise<WebAuthnUserInfo>
  /** @param userId the user whose passkeys are asked for; null asks for any that the device has */
  createAuthenticationOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    userId: string | null,
  ): Promise<CeremonyOptionsJSON>
  /** Asks for the first passkey of a new user. */
  createSignUpOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    user: User,
  ): Promise<CeremonyOptionsJSON>
  /** Asks for another passkey of the user whose session it is. */
  createAddPasskeyOptions(
    request: ActionRequest,
    provider: ResolvedWebAuthnProvider,
    linkRequest: LinkRequest,
  ): Promise<CeremonyOptionsJSON>
  /** @throws WebAuthnVerificationError when anything is not as it has to be */
  completeFlow(request: ActionRequest, provider: ResolvedWebAuthnProvider): Promise<FlowResult>
}

export function createWebAuthnFlow(services: CoreServices): WebAuthnFlow {
  const challengeStore = createChallengeStore(services)
  logMissingPackage(services)
  return {
    getUserInfo: resolveUserInfo,
    async createAuthenticationOptions(request, provider, userId) {
      const passkeys = userId === null ? [] : await listPasskeys(userId, requireStore(services))
      const passkeyOwner = userId === null ? null : { id: userId, passkeys }
      return createAuthenticationOptions(request, provider, challengeStore, passkeyOwner)
    },
    createSignUpOptions: (request, provider, user) =>
      createRegistrationOptions(request, provider, challengeStore, {
        user,
        linkRequest: null,
        passkeys: [],
      }),
    async createAddPasskeyOptions(request, provider, linkRequest) {
      const store = requireStore(services)
      const user = await store.getUser(linkRequest.userId)
      if (!user)
        throw createVerificationError(provider.id, {
          expected: "the user who is signed in to exist",
        })
      const passkeys = await listPasskeys(user.id, store)
      const { name = null, email } = user
      const registrant = { user: { name, email }, linkRequest, passkeys }
      return createRegistrationOptions(request, provider, challengeStore, registrant)
    },
    async completeFlow(request, provider) {
      const { body } = request
      const action = readTextField(body, "action")
      const credential = parseCredential(body)
      if (!credential)
        throw createVerificationError(provider.id, {
          expected: "`data` with the answer of a device",
        })
      const ceremony = await challengeStore.consumeChallenge(
        request,
        credential.challenge,
        provider.id,
      )
      if (!ceremony || ceremony.kind !== action) throw createChallengeError(provider.id)
      // Sections 7.1 step 10 and 7.2 step 13: nobody sees whose passkey they give away inside another's page.
      if (credential.isCrossOrigin)
        throw createVerificationError(provider.id, { expected: "a page that is in no frame" })
      const store = requireStore(services)
      return ceremony.kind === "register"
        ? completeRegistration(request, provider, store, ceremony, castResponse(credential))
        : completeAuthentication(request, provider, store, ceremony, castResponse(credential))
    },
  }
}

/** Of which kind an answer is, the verifying package checks (`type` of the client data). */
function castResponse<Response>(credential: ParsedCredential<unknown>): ParsedCredential<Response> {
  return credential as ParsedCredential<Response>
}

function createChallengeError(provider: string) {
  return createVerificationError(provider, {
    expected: "a challenge that this browser was given, and that nobody has answered yet",
    hint: "The page was open for more than 15 minutes, its cookie was blocked, or it was sent twice.",
  })
}

function requireStore({ store }: CoreServices): AdapterStore {
  if (store) return store
  throw new MissingAdapter({ hint: "Passkeys are kept in a database: set `adapter`." })
}

async function listPasskeys(
  userId: string,
  store: AdapterStore,
): Promise<readonly AdapterAuthenticator[]> {
  return store.listAuthenticatorsByUserId(userId)
}

/** Said when the application starts, and not when the first person tries. */
function logMissingPackage({ config, logger }: CoreServices): void {
  if (config.problems.length > 0) return
  for (const provider of config.providers.values()) {
    if (provider.type === "webauthn")
      loadWebAuthnServer(provider).catch((error) => logger.error(error))
  }
}
