/** The entry `@latchkey/core/types`: the public types, and the names that `@auth/core/types` has beside them. */
import type { RawResponse } from "./latchkey-auth.ts"
import type { CeremonyOptionsJSON } from "./providers/webauthn-types.ts"

export type { Language, MessagePlaceholders, Messages } from "@latchkey/pages"
export type { AuthConfig } from "./config/auth-config.ts"
export type * from "./types.ts"

/** The response of `Auth` in `raw` mode. */
export interface ResponseInternal<Body = unknown> extends RawResponse {
  body?: Body
}

/** The response of `webauthn-options`. */
export interface WebAuthnOptionsResponseBody {
  action: "authenticate" | "register"
  options: CeremonyOptionsJSON
}

/** The `error` with which Auth.js shows the error page. */
export type ErrorPageParam = "Configuration" | "AccessDenied" | "Verification"

/** The `error` with which Auth.js shows the sign-in page. Ours are the types of errors, such as `CredentialsSignin`. */
export type SignInPageErrorParam =
  | "Signin"
  | "OAuthSignin"
  | "OAuthCallbackError"
  | "OAuthCreateAccount"
  | "EmailCreateAccount"
  | "Callback"
  | "OAuthAccountNotLinked"
  | "EmailSignin"
  | "CredentialsSignin"
  | "SessionRequired"

/** @deprecated use the `Awaited` of TypeScript */
export type Awaited<T> = T extends Promise<infer Result> ? Result : T

/** A version, such as `"v1.2"`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`
