/** An error that only applications with second factors load. */
import { AuthError } from "./error-classes.ts"

/** The user must have a second factor, and this is the last one, so it was not removed. */
export class LastFactor extends AuthError {
  static override type = "LastFactor" as const
  static override hint = "Let the user add another authenticator app first."
}
