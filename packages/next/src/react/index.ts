/** Latchkey for client components: React 18 and 19. */
"use client"

export type {
  ClientFailure,
  EmailRequest,
  SignInResult as SignInResponse,
  SignOutResult as SignOutResponse,
} from "@latchkey/client"
export { ClientError } from "@latchkey/client"
export {
  client,
  getCsrfToken,
  getProviders,
  getSession,
  signIn,
  signOut,
  submitEmailCode,
  updateSession,
} from "./client.ts"
export type { ClientSession } from "./session-context.ts"
export { SessionProvider, type SessionProviderProps } from "./session-provider.ts"
export {
  type SessionContextValue,
  type UpdateSession,
  type UseSessionOptions,
  useSession,
} from "./use-session.ts"
