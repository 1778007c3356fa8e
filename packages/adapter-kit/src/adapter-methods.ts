/** Groups of adapter methods, for adapters that implement each in a file of its own. */
import type { Adapter, FactorStore, SessionRecordStore } from "@latchkey/core/adapters"

/** The methods whose names contain a word. */
type MethodsOf<Word extends string> = Required<
  Pick<Adapter, Extract<keyof Adapter, `${string}${Word}${string}`>>
>

/** The methods for sessions. */
export type SessionMethods = Omit<MethodsOf<"Session">, keyof SessionRecordStore>
/** The methods for e-mail tokens. */
export type VerificationTokenMethods = MethodsOf<"VerificationToken">
/** The methods for passkeys. */
export type AuthenticatorMethods = MethodsOf<"Authenticator">
/** The methods for records and changes of sessions that every database has. */
export type SessionRecordMethods = Required<Omit<SessionRecordStore, "watchSessionChanges">>
/** The methods for second factors. */
export type FactorMethods = Required<FactorStore>
