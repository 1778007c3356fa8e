import type { JWK } from "jose"
import type { ProviderState } from "./provider-state.ts"
import type { Claims } from "./types.ts"

/** Creates the discovery document (OpenID Connect Discovery 3, RFC 9207 section 3). */
export function createDiscoveryDocument({
  issuer,
  endpoints,
  key,
  authMethods,
}: ProviderState): Claims {
  return {
    issuer,
    authorization_endpoint: endpoints.authorize,
    token_endpoint: endpoints.token,
    userinfo_endpoint: endpoints.userinfo,
    end_session_endpoint: endpoints.endSession,
    jwks_uri: endpoints.jwks,
    response_types_supported: ["code"],
    response_modes_supported: ["query", "form_post"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [key.alg],
    scopes_supported: ["openid", "profile", "email", "offline_access"],
    claims_supported: ["sub", "email", "email_verified", "name", "picture"],
    token_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: ["HS256", "RS256", "ES256"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  }
}

/** Creates the key set (RFC 7517 section 5). */
export function createKeySet({ publishedKeys }: ProviderState): { keys: JWK[] } {
  return { keys: publishedKeys.map((key) => key.jwk) }
}
