/** What people are told when something went wrong. Maps, so that no inherited name is an entry. */

/** A sentence above the ways to sign in. */
export interface Message {
  readonly text: string
  /** A notice explains, and is not the fault of anybody. */
  readonly tone: "error" | "notice"
}

const tryAnother = error("That did not work. Try again, or sign in with a different account.")
const useFirstAccount = error(
  "This account is not connected to yours. Sign in the way you did the first time.",
)

const signInMessages: ReadonlyMap<string, Message> = new Map([
  ["Signin", tryAnother],
  ["OAuthSignin", tryAnother],
  ["OAuthCallbackError", tryAnother],
  ["OAuthCreateAccount", tryAnother],
  ["EmailCreateAccount", tryAnother],
  ["Callback", tryAnother],
  ["OAuthAccountNotLinked", useFirstAccount],
  ["AccountNotLinked", useFirstAccount],
  ["EmailSignin", error("The email could not be sent. Check the address and try again.")],
  ["CredentialsSignin", error("That did not match. Check what you entered and try again.")],
  ["InvalidEmail", error("That does not look like one e-mail address. Please check it.")],
  ["WebAuthnVerificationError", error("Your passkey could not be verified. Try again.")],
  ["AccessDenied", error("You do not have permission to sign in.")],
  ["Verification", error("This sign-in link has expired or was already used.")],
  ["TooManyRequests", error("Too many attempts. Wait a few minutes and try again.")],
  ["Configuration", error("Signing in is not possible right now. Try again later.")],
  ["SessionRequired", notice("Please sign in to see this page.")],
  [
    "MissingCSRF",
    notice("This page was open for too long, or was opened in another tab. Please try again."),
  ],
])

/** The message for an error code in the query of the sign-in page. */
export function signInMessage(code: string): Message {
  return signInMessages.get(code) ?? error("Signing in did not work. Please try again.")
}

function error(text: string): Message {
  return { text, tone: "error" }
}

function notice(text: string): Message {
  return { text, tone: "notice" }
}
