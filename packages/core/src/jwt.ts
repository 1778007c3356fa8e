/** Session tokens, for code outside of the library's own routes. */
export type {
  AcceptedSessions,
  JWTDecodeParams,
  JWTEncodeParams,
  JWTOptions,
} from "./crypto/jwt.ts"
export { decode, encode } from "./crypto/jwt.ts"
export { isLoopbackHost } from "./http/private-hosts.ts"
export * from "./provider-tokens/token-rotation.ts"
export { type GetTokenParams, getToken } from "./sessions/jwt/get-token.ts"
export type { DefaultJWT, JWT } from "./types.ts"
