/** The messages about errors for visitors, by the code in the query of the sign-in page and the error page. */

import type { Markup } from "../html.ts"
import type { PlainMessageKey } from "../messages/messages.ts"
import { alertIcon, lockIcon } from "./icons.ts"

interface ErrorMessage {
  readonly text: PlainMessageKey
  /** Whether nothing failed: the text says why the visitor is here. */
  readonly isNotice?: boolean
  /** Whether the visitor typed something wrong. */
  readonly isAboutInput?: boolean
  /** The rest of the error page. Errors without it appear there as unknown. */
  readonly errorPage?: ErrorPageMessage
}

interface ErrorPageMessage {
  readonly status: number
  readonly heading: PlainMessageKey
  /** Continues the heading. @defaultValue the text of the sign-in page */
  readonly text?: PlainMessageKey
  /** A text for whoever operates the site. */
  readonly ownerText?: PlainMessageKey
  readonly icon: Markup
  /** The text of the button that leads on. @defaultValue `"signInButton"` */
  readonly button?: PlainMessageKey
  /** When to try again, in seconds. */
  readonly retryAfter?: number
}

type FullErrorPageMessage = ErrorPageMessage & { readonly text: PlainMessageKey }

const messages: Readonly<Record<string, ErrorMessage>> = {
  Signin: { text: "signInFailed" },
  OAuthSignin: { text: "signInFailed" },
  OAuthCallbackError: { text: "signInNotCompleted", isNotice: true },
  OAuthCreateAccount: { text: "signInFailed" },
  EmailCreateAccount: { text: "signInFailed" },
  Callback: { text: "signInFailed" },
  OAuthAccountNotLinked: { text: "accountNotLinked", isNotice: true },
  AccountNotLinked: { text: "accountNotLinked", isNotice: true },
  EmailSignin: { text: "emailNotSent", isAboutInput: true },
  CredentialsSignin: { text: "incorrectDetails", isAboutInput: true },
  InvalidEmail: { text: "invalidEmail", isAboutInput: true },
  WebAuthnVerificationError: { text: "passkeyNotVerified" },
  SessionRequired: { text: "signInRequired", isNotice: true },
  MissingCSRF: { text: "pageExpired", isNotice: true },
  AccessDenied: {
    text: "accessDenied",
    errorPage: { status: 403, heading: "accessDeniedHeading", icon: lockIcon },
  },
  Verification: {
    text: "linkExpired",
    errorPage: { status: 403, heading: "linkExpiredHeading", icon: alertIcon },
  },
  TooManyRequests: {
    text: "tooManyAttempts",
    errorPage: {
      status: 429,
      heading: "tooManyAttemptsHeading",
      text: "waitAndTryAgain",
      icon: alertIcon,
    },
  },
  Configuration: {
    text: "unavailable",
    errorPage: {
      status: 500,
      heading: "unavailableHeading",
      text: "waitAndTryAgain",
      ownerText: "checkServerLog",
      icon: alertIcon,
      button: "tryAgain",
    },
  },
}

/** Says more than the code `Configuration`, which all failures of the server have. */
export type ErrorReason = "expired" | "unavailable" | "still-signed-in"

/** The messages of the error page by the reason in the query. */
const messagesByReason: Readonly<Record<ErrorReason, FullErrorPageMessage>> = {
  expired: {
    text: "signInExpired",
    status: 400,
    heading: "signInExpiredHeading",
    icon: alertIcon,
  },
  unavailable: {
    text: "waitAndTryAgain",
    status: 503,
    heading: "unavailableHeading",
    icon: alertIcon,
    button: "tryAgain",
    retryAfter: 30,
  },
  "still-signed-in": {
    text: "signOutFailed",
    status: 503,
    heading: "signOutFailedHeading",
    icon: alertIcon,
    button: "tryAgain",
    retryAfter: 30,
  },
}

const unknownError = {
  text: "unknownError",
  errorPage: { status: 200, heading: "unknownErrorHeading", icon: alertIcon },
} as const satisfies ErrorMessage

/** Returns the message above the forms of the sign-in page. */
export function getSignInMessage(code: string): ErrorMessage {
  return Object.hasOwn(messages, code) ? (messages[code] ?? unknownError) : unknownError
}

/** Returns the message of the error page. */
export function getErrorPageMessage(code: string, reason = ""): FullErrorPageMessage {
  if (code === "Configuration" && Object.hasOwn(messagesByReason, reason))
    return messagesByReason[reason as ErrorReason]
  const { text, errorPage } = getSignInMessage(code)
  return errorPage ? { text, ...errorPage } : { text: unknownError.text, ...unknownError.errorPage }
}
