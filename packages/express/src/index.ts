/** Latchkey for Express 4 and 5. */
export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Account, DefaultSession, Profile, Session, User } from "@latchkey/core/types"
export type { MiddlewareAuthConfig } from "./config.ts"
export type { AuthMiddleware, ExpressRequest } from "./express.ts"
export { MiddlewareAuth } from "./middleware.ts"
export { type GetSessionResult, getSession } from "./session.ts"
