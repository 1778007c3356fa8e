/** The entry `@latchkey/core/sign-in-email`: the e-mail that carries a sign-in link. */
import { createSignInEmail as createEmail, type SignInEmail } from "@latchkey/pages/sign-in-email"
import { codeMaxAge } from "./code-senders.ts"
import type { VerificationRequest } from "./types.ts"

export type { SignInEmail }

/** The fields of the parameter of `sendVerificationRequest` that the e-mail is made of. */
export type SignInEmailOptions = Pick<
  VerificationRequest,
  "url" | "expires" | "theme" | "language"
> & {
  /** The code for other devices. Without it, the e-mail has only the link. */
  readonly code?: string | undefined
}

/**
 * Creates the built-in e-mail, for your own mailer.
 *
 * @example
 * sendsCode: true,
 * async sendVerificationRequest(request) {
 *   await mailer.send({ to: request.identifier, ...createSignInEmail(request) })
 * }
 */
export function createSignInEmail(options: SignInEmailOptions): SignInEmail {
  const { url, expires, theme, language, code } = options
  return createEmail({ url, expires, theme, language, code, codeMaxAge })
}
