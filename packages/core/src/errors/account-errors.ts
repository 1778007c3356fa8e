/** The errors of functions for server code that change accounts. */
import { AuthError } from "./auth-error.ts"

/** The account is the last one with which the user can sign in, so it was not unlinked. */
export class LastAccount extends AuthError {
  static override type = "LastAccount" as const
  static override hint =
    "Let the user add another account or prove their address first, or delete the user."
}
