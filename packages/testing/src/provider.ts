export type { Denial } from "./provider/authorization.ts"
export { Comeback } from "./provider/comeback.ts"
export type {
  ClientOptions,
  OAuthConfiguration,
  OidcConfiguration,
  ScriptedProfile,
  With,
} from "./provider/configuration.ts"
export type { Hazard } from "./provider/hazards.ts"
export { hazards } from "./provider/hazards.ts"
export type {
  AnswerScript,
  HostileDiscovery,
  HostileJwks,
  HostileTokenAnswer,
  HostileUserinfo,
  OddDiscovery,
} from "./provider/hostile-answers.ts"
export {
  hostileDiscoveries,
  hostileJwks,
  hostileTokenAnswers,
  hostileUserinfos,
  oddDiscoveries,
} from "./provider/hostile-answers.ts"
export type { HostileIdToken, OddIdToken } from "./provider/hostile-id-tokens.ts"
export { hostileIdTokens, oddIdTokens } from "./provider/hostile-id-tokens.ts"
export type { HostileResponse, ResponseScript } from "./provider/hostile-responses.ts"
export { hostileResponses } from "./provider/hostile-responses.ts"
export type { IdTokenParts, IdTokenScript } from "./provider/id-token.ts"
export type { Misbehaviour } from "./provider/misbehaviour.ts"
export { ScriptedProvider, scriptedProvider } from "./provider/provider.ts"
export { ProviderRefusal } from "./provider/refusal.ts"
export type {
  Claims,
  ClientAuthMethod,
  EndpointName,
  Endpoints,
  ProviderOptions,
  RecordedRequest,
  Responder,
  ScriptedUser,
  SigningAlgorithm,
} from "./provider/types.ts"
