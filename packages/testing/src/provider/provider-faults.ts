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
  UnusualTokenResponse,
} from "./hostile-json-responses.ts"
import {
  hostileDiscoveryDocuments,
  hostileJwks,
  hostileTokenResponses,
  hostileUserinfoResponses,
  unusualDiscoveryDocuments,
  unusualTokenResponses,
} from "./hostile-json-responses.ts"
import type { IdTokenModifier } from "./id-token.ts"
import type { TransportFault } from "./transport-faults.ts"
import type { EndpointName } from "./types.ts"

/** Faults of a provider. Each is the name of a predefined fault, or a function. */
export interface ProviderFaults {
  /** The ID token. */
  idToken?: HostileIdToken | UnusualIdToken | IdTokenModifier
  /** The parameters of the authorization response. */
  response?: HostileAuthorizationResponse | AuthorizationResponseModifier
  /** The token response. */
  token?: TransportFault | HostileTokenResponse | UnusualTokenResponse | JsonResponseModifier
  /** The userinfo response. */
  userinfo?: TransportFault | HostileUserinfoResponse | JsonResponseModifier
  /** The discovery document. */
  discovery?:
    | TransportFault
    | HostileDiscoveryDocument
    | UnusualDiscoveryDocument
    | JsonResponseModifier
  /** The key set. */
  jwks?: TransportFault | HostileJwks | JsonResponseModifier
  /** Whether `code_verifier` is ignored. */
  ignorePkce?: boolean
  /** Replaces `expires_in`; `undefined` omits it. */
  expiresIn?: unknown
  /** Replaces `token_type`; `undefined` omits it. */
  tokenType?: unknown
  /** Sent as `WWW-Authenticate` with every token response, as `tenantidp` does. */
  wwwAuthenticate?: string
}

const modifiersByEndpoint: Partial<
  Record<EndpointName, Readonly<Record<string, JsonResponseModifier>>>
> = {
  token: { ...hostileTokenResponses, ...unusualTokenResponses },
  userinfo: hostileUserinfoResponses,
  discovery: { ...hostileDiscoveryDocuments, ...unusualDiscoveryDocuments },
  jwks: hostileJwks,
}

/** Returns the modifier for an endpoint's JSON response, if there is one. */
export function findResponseModifier(
  faults: ProviderFaults,
  endpoint: EndpointName,
): JsonResponseModifier | undefined {
  const fault = getEndpointFault(faults, endpoint)
  return typeof fault === "function" ? fault : modifiersByEndpoint[endpoint]?.[fault ?? ""]
}

/** Returns the configured fault of an endpoint. */
export function getEndpointFault(
  faults: ProviderFaults,
  endpoint: EndpointName,
): string | JsonResponseModifier | undefined {
  if (endpoint === "authorize" || endpoint === "endSession" || endpoint === "elsewhere")
    return undefined
  return faults[endpoint]
}

/** Returns the modifier for ID tokens, if there is one. */
export function findIdTokenModifier({ idToken }: ProviderFaults): IdTokenModifier | undefined {
  if (typeof idToken !== "string") return idToken
  return { ...hostileIdTokens, ...unusualIdTokens }[idToken]
}

/** Returns the modifier for authorization responses, if there is one. */
export function findAuthorizationResponseModifier({
  response,
}: ProviderFaults): AuthorizationResponseModifier | undefined {
  return typeof response === "string" ? hostileAuthorizationResponses[response] : response
}
