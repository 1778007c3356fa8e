/** Messages above the forms of the sign-in page. */

const tryAnotherAccount = "Sign-in failed. Try again, or sign in with a different account."
const useOriginalAccount =
  "This account is not linked to yours. Sign in with the account you used originally."

const messages: Readonly<Record<string, string>> = {
  Signin: tryAnotherAccount,
  OAuthSignin: tryAnotherAccount,
  OAuthCallbackError: tryAnotherAccount,
  OAuthCreateAccount: tryAnotherAccount,
  EmailCreateAccount: tryAnotherAccount,
  Callback: tryAnotherAccount,
  OAuthAccountNotLinked: useOriginalAccount,
  AccountNotLinked: useOriginalAccount,
  EmailSignin: "The email could not be sent. Check the address and try again.",
  CredentialsSignin: "Incorrect sign-in details. Check what you entered and try again.",
  InvalidEmail: "Please enter a single, valid email address.",
  WebAuthnVerificationError: "Your passkey could not be verified. Try again.",
  AccessDenied: "You do not have permission to sign in.",
  Verification: "This sign-in link has expired or was already used.",
  TooManyRequests: "Too many attempts. Wait a few minutes and try again.",
  Configuration: "Sign-in is unavailable right now. Try again later.",
  SessionRequired: "Please sign in to see this page.",
  MissingCSRF: "This page was open for too long, or in another tab as well. Please try again.",
}

/** Returns the message for an error code in the query of the sign-in page. */
export function getSignInMessage(code: string): string {
  const message = Object.hasOwn(messages, code) ? messages[code] : undefined
  return message ?? "Unable to sign in. Please try again."
}

/** Whether the message of a code explains something and no attempt has failed. */
export function isNotice(code: string): boolean {
  return code === "SessionRequired" || code === "MissingCSRF"
}
