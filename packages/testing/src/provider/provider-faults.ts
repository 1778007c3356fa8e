import type {
  AuthorizationResponseModifier,
  HostileAuthorizationResponse,
} from "./hostile-authorization-responses.ts"
import { hostileAuthorizationResponses } from "./hostile-authorization-responses.ts"
import type { HostileIdToken, UnusualIdToken } from "./hostile-id-tokens.ts"
import { hostileIdTokens, unusualIdTokens } from "./hostile-id-tokens.ts"
import type {
  HostileDiscoveryDocument,
  HostileJwks,
  HostileTokenResponse,
  HostileUserinfoResponse,
  JsonResponseModifier,
  UnusualDiscoveryDocument,
} from "./hostile-json-responses.ts"
import {
  hostileDiscoveryDocuments,
  hostileJwks,
  hostileTokenResponses,
  hostileUserinfoResponses,
  unusualDiscoveryDocuments,
} from "./hostile-json-responses.ts"
import type { IdTokenModifier } from "./id-token.ts"
import type { TransportFault } from "./transport-faults.ts"
import type { EndpointName } from "./types.ts"

/** What the provider does wrong, each part by the name of a ready-made fault or by a function. */
export interface ProviderFaults {
  /** The ID token: security cases 71–76. */
  idToken?: HostileIdToken | UnusualIdToken | IdTokenModifier
  /** The parameters that the browser brings back: cases 62, 66, 67. */
  response?: HostileAuthorizationResponse | AuthorizationResponseModifier
  /** The token answer: cases 79, 81–83. */
  token?: TransportFault | HostileTokenResponse | JsonResponseModifier
  /** The userinfo answer: cases 77, 81–83. */
  userinfo?: TransportFault | HostileUserinfoResponse | JsonResponseModifier
  /** The discovery document: cases 81–84. */
  discovery?:
    | TransportFault
    | HostileDiscoveryDocument
    | UnusualDiscoveryDocument
    | JsonResponseModifier
  /** The key set: cases 74, 81–83. */
  jwks?: TransportFault | HostileJwks | JsonResponseModifier
  /** `code_verifier` is not looked at: case 64. */
  ignorePkce?: boolean
  /** Replaces `expires_in`; `undefined` leaves it out: case 80. */
  expiresIn?: unknown
  /** Replaces `token_type`; `undefined` leaves it out: case 80. */
  tokenType?: unknown
  /** Sent as `WWW-Authenticate` beside every token answer, as `tenantidp` does. */
  wwwAuthenticate?: string
}

const modifiersByEndpoint: Partial<
  Record<EndpointName, Readonly<Record<string, JsonResponseModifier>>>
> = {
  token: hostileTokenResponses,
  userinfo: hostileUserinfoResponses,
  discovery: { ...hostileDiscoveryDocuments, ...unusualDiscoveryDocuments },
  jwks: hostileJwks,
}

/** Gives the script that changes the JSON of an endpoint's answer, if it misbehaves in that way. */
export function findResponseModifier(
  faults: ProviderFaults,
  endpoint: EndpointName,
): JsonResponseModifier | undefined {
  const fault = getEndpointFault(faults, endpoint)
  return typeof fault === "function" ? fault : modifiersByEndpoint[endpoint]?.[fault ?? ""]
}

/** Gives the name or script with which an endpoint was told to misbehave. */
export function getEndpointFault(
  faults: ProviderFaults,
  endpoint: EndpointName,
): string | JsonResponseModifier | undefined {
  if (endpoint === "authorize" || endpoint === "elsewhere") return undefined
  return faults[endpoint]
}

/** Gives the script that changes the ID token. */
export function findIdTokenModifier({ idToken }: ProviderFaults): IdTokenModifier | undefined {
  if (typeof idToken !== "string") return idToken
  return { ...hostileIdTokens, ...unusualIdTokens }[idToken]
}

/** Gives the script that changes the authorization response. */
export function findAuthorizationResponseModifier({
  response,
}: ProviderFaults): AuthorizationResponseModifier | undefined {
  return typeof response === "string" ? hostileAuthorizationResponses[response] : response
}
