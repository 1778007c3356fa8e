/** The relying party of a request: the application, at the origin that the browser sees. */
import { createHookArguments } from "./provider-hooks.ts"
import { createVerificationError, type WebAuthnFlowContext } from "./webauthn-context.ts"

/**
 * Selects the relying party of a request, and the origins that may use its passkeys in this request.
 *
 * @throws WebAuthnVerificationError when no relying party has the origin of the request
 */
export async function selectRelyingParty(
  context: WebAuthnFlowContext,
): Promise<{ id: string; name: string; origins: string[] }> {
  const { request, provider, config } = context
  const { relyingParties, getRelayingParty } = provider
  if (getRelayingParty) {
    const { id, name, origin } = await getRelayingParty(...createHookArguments(context))
    return { id, name, origins: [origin].flat() }
  }
  const { hostname, host, origin } = request.url
  if (relyingParties.kind === "request") {
    const { id = hostname, name = host } = relyingParties
    // Without an `id`, another host has other passkeys. With one, the host of the request must not decide.
    return { id, name, origins: [(relyingParties.id && config.authUrlOrigin) || origin] }
  }
  const { parties } = relyingParties
  const [firstParty] = parties
  const partyOfOrigin = parties.find((party) => party.origin === origin)
  // If there is a single relying party, the verifying package compares its origins with that of the browser.
  const isSingle = parties.every(({ id }) => id === firstParty?.id)
  const party = partyOfOrigin ?? (isSingle ? firstParty : undefined)
  if (!party) {
    const expected = `the origin ${origin} to be one of \`relayingParty.origin\``
    const hint = "With several relying parties, the origin of the request selects one."
    throw createVerificationError(provider, expected, { hint })
  }
  const { id, name } = party
  const origins = parties.filter((other) => other.id === id).map((other) => other.origin)
  if (!partyOfOrigin) return { id, name, origins }
  // Another website of the domain makes requests to its own origin; a native application makes them to this one.
  const isOwnOrNative = (other: string) => other === origin || !/^https?:/.test(other)
  return { id, name, origins: origins.filter(isOwnOrNative) }
}
