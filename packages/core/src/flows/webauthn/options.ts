/** Options for a device: a challenge, and what it is asked to do. */
import type { AdapterAuthenticator } from "../../adapters.ts"
import type { Exchange } from "../../http/exchange.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved.ts"
import type { CeremonyOptions } from "../../providers/webauthn-types.ts"
import type { User } from "../../types.ts"
import type { LinkRequest } from "../proof.ts"
import type { Challenges } from "./challenges.ts"
import { toBase64Url } from "./encoding.ts"
import { partyOf } from "./relying-party.ts"
import { serverOf } from "./server.ts"

/** Asks for one of the passkeys of `owner`, or with null for whichever the device has. */
export async function authenticationOptions(
  exchange: Exchange,
  provider: ResolvedWebAuthnProvider,
  challenges: Challenges,
  owner: { readonly id: string; readonly passkeys: readonly AdapterAuthenticator[] } | null,
): Promise<CeremonyOptions> {
  const party = await partyOf(exchange, provider)
  const server = await serverOf(provider)
  const options = await server.generateAuthenticationOptions({
    ...provider.authentication,
    rpID: party.id,
    ...(owner ? { allowCredentials: owner.passkeys.map(nameOf) } : {}),
  })
  await challenges.remember(exchange, options.challenge, {
    kind: "authenticate",
    owner: owner?.id ?? null,
    provider: provider.id,
    party: party.id,
  })
  return options
}

/** Whom a passkey is made for. */
export interface Registrant {
  readonly user: User
  /** The request of a session to add a passkey; null for a new user. */
  readonly link: LinkRequest | null
  /** The passkeys that the user has. */
  readonly passkeys: readonly AdapterAuthenticator[]
}

/** Asks for a new passkey. */
export async function registrationOptions(
  exchange: Exchange,
  provider: ResolvedWebAuthnProvider,
  challenges: Challenges,
  { user, link, passkeys }: Registrant,
): Promise<CeremonyOptions> {
  const party = await partyOf(exchange, provider)
  const server = await serverOf(provider)
  const { authenticatorSelection, ...registration } = provider.registration
  const shown = user.email || user.name || party.name
  const options = await server.generateRegistrationOptions({
    ...registration,
    // The package writes into this object.
    authenticatorSelection: { ...authenticatorSelection },
    rpID: party.id,
    rpName: party.name,
    userName: shown,
    userDisplayName: user.name || shown,
    excludeCredentials: passkeys.map(nameOf),
  })
  await challenges.remember(exchange, options.challenge, {
    kind: "register",
    user,
    link,
    provider: provider.id,
    party: party.id,
  })
  return options
}

function nameOf({ credentialID, transports }: AdapterAuthenticator): {
  id: string
  transports?: string[]
} {
  const id = toBase64Url(credentialID)
  const list = transports?.split(",").filter(Boolean)
  return list?.length ? { id, transports: list } : { id }
}
