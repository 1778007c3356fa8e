/** Creates options for a device: a challenge, and what it is for. */
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

/** Requests one of the owner's passkeys; with null any passkey that the device has. */
export async function createAuthenticationOptions(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  challengeStore: ChallengeStore,
  owner: { readonly id: string; readonly passkeys: readonly AdapterAuthenticator[] } | null,
): Promise<CeremonyOptionsJSON> {
  const { id: rpId } = await selectRelyingParty(request, provider)
  const server = await loadWebAuthnServer(provider)
  const options = await server.generateAuthenticationOptions({
    ...provider.authentication,
    rpID: rpId,
    ...(owner ? { allowCredentials: owner.passkeys.map(toCredentialDescriptor) } : {}),
  })
  const userId = owner?.id ?? null
  const ceremony = { kind: "authenticate", userId, provider: provider.id, rpId } as const
  await challengeStore.save(request, options.challenge, ceremony)
  return options
}

export interface Registrant {
  readonly user: User
  /** The request of a session to add a passkey; null for a new user. */
  readonly linkRequest: LinkRequest | null
  /** The passkeys that the user has. */
  readonly passkeys: readonly AdapterAuthenticator[]
}

/** Requests a new passkey. */
export async function createRegistrationOptions(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  challengeStore: ChallengeStore,
  { user, linkRequest, passkeys }: Registrant,
): Promise<CeremonyOptionsJSON> {
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
  await challengeStore.save(request, options.challenge, ceremony)
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
