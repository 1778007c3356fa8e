/** Turns the definition of a passkey provider into the provider that the flow uses. */
import type { CredentialInput } from "../types.ts"
import type { PlainObject } from "./merge-definition.ts"
import type { RelyingParties, ResolvedWebAuthnProvider } from "./resolved-provider.ts"
import type { RelyingParty, RelyingPartyOptions, WebAuthnConfig } from "./webauthn-types.ts"

/** Five minutes in milliseconds, the recommended maximum (WebAuthn Level 3, section 15.1). */
const defaultTimeout = 300_000

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812), which all devices and runtimes support. */
const defaultAlgorithms = [-8, -7, -257]

/** Its label is a text of the page. */
const nameField: CredentialInput = {
  type: "text",
  required: true,
  autocomplete: "username webauthn",
}

/** Applies all defaults. Throws TypeError for inconsistent relying parties. */
export function resolveWebAuthnFields(
  definition: PlainObject,
): Omit<ResolvedWebAuthnProvider, "type" | "id" | "name"> {
  const config = definition as unknown as WebAuthnConfig // the caller checked `type`
  const { registrationOptions, authenticationOptions, simpleWebAuthn } = config
  const selection = {
    residentKey: "preferred",
    userVerification: "preferred",
    ...registrationOptions?.authenticatorSelection,
  } as const
  const authentication = {
    timeout: defaultTimeout,
    userVerification: "preferred",
    ...authenticationOptions,
  } as const
  const relatedOrigins = (config.relatedOrigins ?? []).map(parseRelatedOrigin)
  const ownParties = resolveRelyingParties(config.relayingParty ?? {})
  return {
    isExperimental: config.isExperimental ?? true,
    relatedOrigins,
    relyingParties: addRelatedOrigins(ownParties, relatedOrigins),
    getRelayingParty: config.getRelayingParty,
    getUserInfo: config.getUserInfo,
    conditionalUI: config.enableConditionalUI ?? true,
    fields: config.formFields ?? { name: nameField },
    registration: {
      timeout: defaultTimeout,
      supportedAlgorithmIDs: defaultAlgorithms,
      ...registrationOptions,
      authenticatorSelection: selection,
    },
    authentication,
    registrationChecks: resolveChecks(config.verifyRegistrationOptions, selection.userVerification),
    authenticationChecks: resolveChecks(
      config.verifyAuthenticationOptions,
      authentication.userVerification,
    ),
    loadWebAuthnServer: resolveLoader(simpleWebAuthn),
    definition,
  }
}

function resolveLoader(
  webAuthnServer: WebAuthnConfig["simpleWebAuthn"],
): ResolvedWebAuthnProvider["loadWebAuthnServer"] {
  return typeof webAuthnServer === "object" && webAuthnServer !== null
    ? async () => webAuthnServer
    : webAuthnServer
}

function resolveChecks(
  options: WebAuthnConfig["verifyRegistrationOptions"],
  requestedVerification: string | undefined,
): { requireUserVerification: boolean } {
  return {
    requireUserVerification:
      options?.requireUserVerification ?? requestedVerification === "required",
  }
}

/** Entries with the same index belong together. A single value belongs to all. */
function resolveRelyingParties({ id, name, origin }: RelyingPartyOptions): RelyingParties {
  if (origin === undefined && !Array.isArray(id) && !Array.isArray(name)) {
    return {
      kind: "request",
      id: assertOptionalText(id, "id"),
      name: assertOptionalText(name, "name"),
    }
  }
  const lists = [id, name, origin].map((value) => (Array.isArray(value) ? value : [value]))
  const length = Math.max(...lists.map((list) => list.length))
  if (length === 0 || lists.some((list) => list.length !== 1 && list.length !== length)) {
    throw new TypeError(
      "`relayingParty`: `id`, `name` and `origin` must have the same number of entries, or one",
    )
  }
  const parties = Array.from({ length }, (_, index) => {
    const [ownId, ownName, ownOrigin] = lists.map((list) => list[list.length === 1 ? 0 : index])
    return resolveRelyingParty(
      ownOrigin,
      assertOptionalText(ownId, "id"),
      assertOptionalText(ownName, "name"),
    )
  })
  return { kind: "listed", parties }
}

function assertOptionalText(value: unknown, name: string): string | undefined {
  if (value === undefined || (typeof value === "string" && value !== "")) return value
  throw new TypeError(`\`relayingParty.${name}\` must be a string, or an array of strings`)
}

/** Adds websites that use the passkeys of the relying party, although their domain is another one. */
function addRelatedOrigins(parties: RelyingParties, origins: readonly string[]): RelyingParties {
  if (origins.length === 0) return parties
  const [first, ...others] = parties.kind === "listed" ? parties.parties : []
  if (!first || others.some(({ id }) => id !== first.id))
    throw new TypeError("`relatedOrigins` need `relayingParty` with one `id` and its `origin`")
  const related = origins.map((origin) => ({ ...first, origin }))
  return { kind: "listed", parties: [first, ...others, ...related] }
}

function parseRelatedOrigin(origin: unknown): string {
  const url = typeof origin === "string" && URL.canParse(origin) ? new URL(origin) : undefined
  if (url?.protocol === "https:" && url.pathname === "/" && !url.search) return url.origin
  throw new TypeError("`relatedOrigins` must be origins such as https://example.de")
}

/** The id defaults to the host of the origin, and the name to the id. */
function resolveRelyingParty(
  origin: unknown,
  id: string | undefined,
  name: string | undefined,
): RelyingParty {
  if (typeof origin !== "string" || !URL.canParse(origin)) {
    throw new TypeError("`relayingParty.origin` must be an origin such as https://example.com")
  }
  const { protocol, hostname, origin: normalizedOrigin } = new URL(origin)
  const isWeb = protocol === "https:" || protocol === "http:"
  const domain = id ?? hostname
  if (isWeb && !isSameOrSubdomain(hostname, domain)) {
    throw new TypeError(`\`relayingParty.id\` must be the host of ${origin}, or a parent domain`)
  }
  // The origin of a native application has another scheme. It is compared literally.
  return { id: domain, name: name ?? domain, origin: isWeb ? normalizedOrigin : origin }
}

/** Browsers refuse any other id (WebAuthn Level 3, section 5.1.3 step 8). */
function isSameOrSubdomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
