/** The context of a sign-in with a passkey: what the application says of its relying party and its users. */
import { type ErrorDetails, WebAuthnVerificationError } from "../../errors.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { WebAuthnContext, WebAuthnUserInfo } from "../../providers/webauthn-types.ts"
import { normalizeEmailAddress } from "../email/email-address.ts"
import type { FlowContext } from "../flow.ts"

export interface WebAuthnFlowContext extends FlowContext {
  readonly provider: ResolvedWebAuthnProvider
}

/** A passkey that is not stored, which the browser may forget. */
export interface UnknownPasskey {
  readonly rpId: string
  /** Base64url. */
  readonly id: string
}

export function createVerificationError(
  { id }: ResolvedWebAuthnProvider,
  expected: string,
  details: Pick<ErrorDetails, "hint" | "cause"> & { readonly unknownPasskey?: UnknownPasskey } = {},
): WebAuthnVerificationError {
  return new WebAuthnVerificationError({ provider: id, expected, ...details })
}

/** Parameters that the library reads itself: they are not fields of the form. */
const reservedFields = new Set(
  "action automatic callbackUrl csrfToken data link __proto__".split(" "),
)

/** Maximum length of a field in characters. */
const maxFieldLength = 512

/** Creates the arguments: the fields of the form, and the request without its body, which has been read. */
export function createHookArguments({
  request,
  provider,
}: WebAuthnFlowContext): [context: WebAuthnContext, request: Request] {
  const { method, query, body, url, headers } = request
  // A request for options carries the fields in its query.
  const entries = method === "GET" ? [...query] : Object.entries(body)
  const fields: Record<string, string> = {}
  for (const [name, value] of entries) {
    if (typeof value !== "string" || value === "" || value.length > maxFieldLength) continue
    if (!reservedFields.has(name)) fields[name] = value
  }
  const webRequest = new Request(url, { headers: [...headers] })
  return [{ url, provider: provider.definition, fields }, webRequest]
}

/** Returns the user whom a form describes; null when it describes none. */
export async function resolveUserInfo(context: WebAuthnFlowContext): Promise<WebAuthnUserInfo> {
  const { getUserInfo } = context.provider
  const [hookContext, webRequest] = createHookArguments(context)
  if (getUserInfo) return getUserInfo(hookContext, webRequest)
  const { email, name = null } = hookContext.fields
  if (email === undefined) return name === null ? null : { exists: false, user: { name } }
  try {
    // The address names the passkey on the device. Whether a user has it is only looked up once a passkey proves
    // something.
    return { exists: false, user: { email: normalizeEmailAddress(email), name } }
  } catch {
    return null // not an address
  }
}

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
