/** Session tokens, for code outside of the library's own routes, with the defaults of NextAuth.js 4. */
export type { DefaultJWT, JWT, JWTOptions } from "@latchkey/core/jwt"
export { encode, type JWTEncodeParams } from "./encode.ts"
export { type GetTokenParams, getToken } from "./get-token.ts"
export { decode, type JWTDecodeParams } from "./session-token.ts"
