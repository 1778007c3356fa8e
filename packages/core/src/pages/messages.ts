/** What people are told when something went wrong. Maps, so that no inherited name is an entry. */

/** A sentence above the ways to sign in. */
export interface Message {
  readonly text: string
  /** A notice explains, and is not the fault of anybody. */
  readonly tone: "error" | "notice"
}

const tryAnotherAccount = createErrorMessage(
  "That did not work. Try again, or sign in with a different account.",
)
const useFirstAccount = createErrorMessage(
  "This account is not connected to yours. Sign in the way you did the first time.",
)

const messagesByError: ReadonlyMap<string, Message> = new Map([
  ["Signin", tryAnotherAccount],
  ["OAuthSignin", tryAnotherAccount],
  ["OAuthCallbackError", tryAnotherAccount],
  ["OAuthCreateAccount", tryAnotherAccount],
  ["EmailCreateAccount", tryAnotherAccount],
  ["Callback", tryAnotherAccount],
  ["OAuthAccountNotLinked", useFirstAccount],
  ["AccountNotLinked", useFirstAccount],
  [
    "EmailSignin",
    createErrorMessage("The email could not be sent. Check the address and try again."),
  ],
  [
    "CredentialsSignin",
    createErrorMessage("That did not match. Check what you entered and try again."),
  ],
  [
    "InvalidEmail",
    createErrorMessage("That does not look like one e-mail address. Please check it."),
  ],
  [
    "WebAuthnVerificationError",
    createErrorMessage("Your passkey could not be verified. Try again."),
  ],
  ["AccessDenied", createErrorMessage("You do not have permission to sign in.")],
  ["Verification", createErrorMessage("This sign-in link has expired or was already used.")],
  ["TooManyRequests", createErrorMessage("Too many attempts. Wait a few minutes and try again.")],
  ["Configuration", createErrorMessage("Signing in is not possible right now. Try again later.")],
  ["SessionRequired", createNotice("Please sign in to see this page.")],
  [
    "MissingCSRF",
    createNotice(
      "This page was open for too long, or was opened in another tab. Please try again.",
    ),
  ],
])

/** The message for an error code in the query of the sign-in page. */
export function getSignInMessage(code: string): Message {
  return (
    messagesByError.get(code) ?? createErrorMessage("Signing in did not work. Please try again.")
  )
}

function createErrorMessage(text: string): Message {
  return { text, tone: "error" }
}

function createNotice(text: string): Message {
  return { text, tone: "notice" }
}
