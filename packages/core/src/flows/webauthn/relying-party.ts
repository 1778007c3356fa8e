/** Whom a passkey is for: the application, at the origin that the browser sees. */
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import { createBodilessRequest, createWebAuthnContext } from "./hook-arguments.ts"
import { createVerificationError } from "./verification-error.ts"

/** A relying party, with all origins from which its passkeys may be used in a request. */
export interface RequestRelyingParty {
  readonly id: string
  readonly name: string
  readonly origins: string[]
}

/**
 * The relying party of a request.
 *
 * @throws WebAuthnVerificationError when passkeys are not for the origin of the request
 */
export async function selectRelyingParty(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
): Promise<RequestRelyingParty> {
  const { relyingParties, getRelayingParty } = provider
  if (getRelayingParty) {
    const context = createWebAuthnContext(request, provider)
    const { id, name, origin } = await getRelayingParty(context, createBodilessRequest(request))
    return { id, name, origins: typeof origin === "string" ? [origin] : [...origin] }
  }
  const { hostname, host, origin } = request.url
  if (relyingParties.kind === "request") {
    return {
      id: relyingParties.id ?? hostname,
      name: relyingParties.name ?? host,
      origins: [origin],
    }
  }
  const { parties: configuredParties } = relyingParties
  const partyOfOrigin = configuredParties.find((party) => party.origin === origin)
  const [firstParty] = configuredParties
  // With a single relying party there is nothing to choose: the browser's word on the origin is what counts.
  const party =
    partyOfOrigin ??
    (configuredParties.every(({ id }) => id === firstParty?.id) ? firstParty : undefined)
  if (!party) {
    throw createVerificationError(provider.id, {
      expected: `the origin ${origin} to be one of \`relayingParty.origin\``,
      hint: "With several relying parties, the origin of the request decides which one it is.",
    })
  }
  const originsOfParty = configuredParties
    .filter(({ id }) => id === party.id)
    .map((candidate) => candidate.origin)
  // Another website of the same domain has requests of its own; a native application comes to this one.
  const origins = partyOfOrigin
    ? originsOfParty.filter((candidate) => candidate === origin || !isWebOrigin(candidate))
    : originsOfParty
  return { id: party.id, name: party.name, origins }
}

function isWebOrigin(origin: string): boolean {
  return /^https?:/.test(origin)
}
