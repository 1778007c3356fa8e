import type { Hazard } from "./hazards.ts"
import type {
  AnswerScript,
  HostileDiscovery,
  HostileJwks,
  HostileTokenAnswer,
  HostileUserinfo,
  OddDiscovery,
} from "./hostile-answers.ts"
import {
  hostileDiscoveries,
  hostileJwks,
  hostileTokenAnswers,
  hostileUserinfos,
  oddDiscoveries,
} from "./hostile-answers.ts"
import type { HostileIdToken, OddIdToken } from "./hostile-id-tokens.ts"
import { hostileIdTokens, oddIdTokens } from "./hostile-id-tokens.ts"
import type { HostileResponse, ResponseScript } from "./hostile-responses.ts"
import { hostileResponses } from "./hostile-responses.ts"
import type { IdTokenScript } from "./id-token.ts"
import type { EndpointName } from "./types.ts"

/** What the provider does wrong, each part by the name of a ready-made fault or by a function. */
export interface Misbehaviour {
  /** The ID token: security cases 71–76. */
  idToken?: HostileIdToken | OddIdToken | IdTokenScript
  /** The parameters that the browser brings back: cases 62, 66, 67. */
  response?: HostileResponse | ResponseScript
  /** The token answer: cases 79, 81–83. */
  token?: Hazard | HostileTokenAnswer | AnswerScript
  /** The userinfo answer: cases 77, 81–83. */
  userinfo?: Hazard | HostileUserinfo | AnswerScript
  /** The discovery document: cases 81–84. */
  discovery?: Hazard | HostileDiscovery | OddDiscovery | AnswerScript
  /** The key set: cases 74, 81–83. */
  jwks?: Hazard | HostileJwks | AnswerScript
  /** `code_verifier` is not looked at: case 64. */
  ignorePkce?: boolean
  /** Replaces `expires_in`; `undefined` leaves it out: case 80. */
  expiresIn?: unknown
  /** Replaces `token_type`; `undefined` leaves it out: case 80. */
  tokenType?: unknown
  /** Sent as `WWW-Authenticate` beside every token answer, as `tenantidp` does. */
  wwwAuthenticate?: string
}

const tables: Partial<Record<EndpointName, Readonly<Record<string, AnswerScript>>>> = {
  token: hostileTokenAnswers,
  userinfo: hostileUserinfos,
  discovery: { ...hostileDiscoveries, ...oddDiscoveries },
  jwks: hostileJwks,
}

/** Gives the script that changes the JSON of an endpoint's answer, if it misbehaves in that way. */
export function answerScript(
  faults: Misbehaviour,
  endpoint: EndpointName,
): AnswerScript | undefined {
  const fault = faultOf(faults, endpoint)
  return typeof fault === "function" ? fault : tables[endpoint]?.[fault ?? ""]
}

/** Gives the name or script with which an endpoint was told to misbehave. */
export function faultOf(
  faults: Misbehaviour,
  endpoint: EndpointName,
): string | AnswerScript | undefined {
  if (endpoint === "authorize" || endpoint === "elsewhere") return undefined
  return faults[endpoint]
}

/** Gives the script that changes the ID token. */
export function idTokenScript({ idToken }: Misbehaviour): IdTokenScript | undefined {
  if (typeof idToken !== "string") return idToken
  return { ...hostileIdTokens, ...oddIdTokens }[idToken]
}

/** Gives the script that changes the authorization response. */
export function responseScript({ response }: Misbehaviour): ResponseScript | undefined {
  return typeof response === "string" ? hostileResponses[response] : response
}
