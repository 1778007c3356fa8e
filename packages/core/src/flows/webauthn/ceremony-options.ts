/** Options for a device: a challenge, and what it is asked to do. */
import type { AdapterAuthenticator } from "../../adapters.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { CeremonyOptionsJSON } from "../../providers/webauthn-types.ts"
import type { User } from "../../types.ts"
import type { LinkRequest } from "../flow-result.ts"
import { base64ToBase64Url } from "./base64.ts"
import type { ChallengeStore } from "./challenge-store.ts"
import { selectRelyingParty } from "./relying-party.ts"
import { loadWebAuthnServer } from "./simplewebauthn.ts"

/** Asks for one of the passkeys of `owner`, or with null for whichever the device has. */
export async function createAuthenticationOptions(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  challengeStore: ChallengeStore,
  passkeyOwner: { readonly id: string; readonly passkeys: readonly AdapterAuthenticator[] } | null,
): Promise<CeremonyOptionsJSON> {
  const relyingParty = await selectRelyingParty(request, provider)
  const server = await loadWebAuthnServer(provider)
  const options = await server.generateAuthenticationOptions({
    ...provider.authentication,
    rpID: relyingParty.id,
    ...(passkeyOwner
      ? { allowCredentials: passkeyOwner.passkeys.map(toCredentialDescriptor) }
      : {}),
  })
  await challengeStore.saveChallenge(request, options.challenge, {
    kind: "authenticate",
    userId: passkeyOwner?.id ?? null,
    provider: provider.id,
    rpId: relyingParty.id,
  })
  return options
}

/** Whom a passkey is made for. */
export interface Registrant {
  readonly user: User
  /** The request of a session to add a passkey; null for a new user. */
  readonly linkRequest: LinkRequest | null
  /** The passkeys that the user has. */
  readonly passkeys: readonly AdapterAuthenticator[]
}

/** Asks for a new passkey. */
export async function createRegistrationOptions(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  challengeStore: ChallengeStore,
  { user, linkRequest, passkeys }: Registrant,
): Promise<CeremonyOptionsJSON> {
  const relyingParty = await selectRelyingParty(request, provider)
  const server = await loadWebAuthnServer(provider)
  const { authenticatorSelection, ...registration } = provider.registration
  const userName = user.email || user.name || relyingParty.name
  const options = await server.generateRegistrationOptions({
    ...registration,
    // The package writes into this object.
    authenticatorSelection: { ...authenticatorSelection },
    rpID: relyingParty.id,
    rpName: relyingParty.name,
    userName,
    userDisplayName: user.name || userName,
    excludeCredentials: passkeys.map(toCredentialDescriptor),
  })
  await challengeStore.saveChallenge(request, options.challenge, {
    kind: "register",
    user,
    linkRequest: linkRequest,
    provider: provider.id,
    rpId: relyingParty.id,
  })
  return options
}

function toCredentialDescriptor({ credentialID, transports }: AdapterAuthenticator): {
  id: string
  transports?: string[]
} {
  const id = base64ToBase64Url(credentialID)
  const list = transports?.split(",").filter(Boolean)
  return list?.length ? { id, transports: list } : { id }
}
