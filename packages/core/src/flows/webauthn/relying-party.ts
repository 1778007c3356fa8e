/** Whom a passkey is for: the application, at the origin that the browser sees. */
import type { Exchange } from "../../http/exchange.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved.ts"
import { contextOf, plainRequest } from "./context.ts"
import { refused } from "./refused.ts"

/** A relying party, with all origins from which its passkeys may be used in a request. */
export interface PartyInRequest {
  readonly id: string
  readonly name: string
  readonly origins: string[]
}

/**
 * The relying party of a request.
 *
 * @throws WebAuthnVerificationError when passkeys are not for the origin of the request
 */
export async function partyOf(
  exchange: Exchange,
  provider: ResolvedWebAuthnProvider,
): Promise<PartyInRequest> {
  const { parties, getRelayingParty } = provider
  if (getRelayingParty) {
    const context = contextOf(exchange, provider)
    const { id, name, origin } = await getRelayingParty(context, plainRequest(exchange))
    return { id, name, origins: typeof origin === "string" ? [origin] : [...origin] }
  }
  const { hostname, host, origin } = exchange.url
  if (parties.kind === "request") {
    return { id: parties.id ?? hostname, name: parties.name ?? host, origins: [origin] }
  }
  const { parties: listed } = parties
  const here = listed.find((party) => party.origin === origin)
  const [only] = listed
  // With a single relying party there is nothing to choose: the browser's word on the origin is what counts.
  const party = here ?? (listed.every(({ id }) => id === only?.id) ? only : undefined)
  if (!party) {
    throw refused(provider.id, {
      expected: `the origin ${origin} to be one of \`relayingParty.origin\``,
      hint: "With several relying parties, the origin of the request decides which one it is.",
    })
  }
  const same = listed.filter(({ id }) => id === party.id).map((each) => each.origin)
  // Another website of the same domain has requests of its own; a native application comes to this one.
  const origins = here ? same.filter((each) => each === origin || !isWeb(each)) : same
  return { id: party.id, name: party.name, origins }
}

function isWeb(origin: string): boolean {
  return /^https?:/.test(origin)
}
