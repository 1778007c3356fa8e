export type { AuthorizationErrorResponse } from "./provider/authorization-endpoint.ts"
export { AuthorizationResponse } from "./provider/authorization-response.ts"
export type {
  ClientOptions,
  OAuthConfiguration,
  OidcConfiguration,
  OverrideProperties,
  ScriptedProfile,
} from "./provider/client-configuration.ts"
export type {
  AuthorizationResponseModifier,
  HostileAuthorizationResponse,
} from "./provider/hostile-authorization-responses.ts"
export { hostileAuthorizationResponses } from "./provider/hostile-authorization-responses.ts"
export type { HostileIdToken, UnusualIdToken } from "./provider/hostile-id-tokens.ts"
export { hostileIdTokens, unusualIdTokens } from "./provider/hostile-id-tokens.ts"
export type {
  HostileDiscoveryDocument,
  HostileJwks,
  HostileTokenResponse,
  HostileUserinfoResponse,
  JsonResponseModifier,
  UnusualDiscoveryDocument,
  UnusualTokenResponse,
} from "./provider/hostile-json-responses.ts"
export {
  hostileDiscoveryDocuments,
  hostileJwks,
  hostileTokenResponses,
  hostileUserinfoResponses,
  unusualDiscoveryDocuments,
  unusualTokenResponses,
} from "./provider/hostile-json-responses.ts"
export type { IdTokenModifier, IdTokenParts } from "./provider/id-token.ts"
export { ProviderError } from "./provider/provider-error.ts"
export type { ProviderFaults } from "./provider/provider-faults.ts"
export { createScriptedProvider, ScriptedProvider } from "./provider/scripted-provider.ts"
export type { TransportFault } from "./provider/transport-faults.ts"
export { transportFaults } from "./provider/transport-faults.ts"
export type {
  Claims,
  ClientAuthMethod,
  EndpointName,
  Endpoints,
  RecordedRequest,
  Responder,
  ScriptedProviderOptions,
  ScriptedUser,
  SigningAlgorithm,
} from "./provider/types.ts"
