/** Creates the built-in e-mail for the senders of the catalogue. */
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { SignInEmail } from "./sign-in-email.ts"
import type { VerificationRequest } from "./types.ts"

/** Creates the e-mail. The code that renders it loads with the first one. */
export const composeSignInEmail: (request: VerificationRequest) => Promise<SignInEmail> =
  loadOnFirstCall(async () => {
    const { createSignInEmail } = await import("./sign-in-email.ts")
    return { compose: async (request: VerificationRequest) => createSignInEmail(request) }
  }).compose
