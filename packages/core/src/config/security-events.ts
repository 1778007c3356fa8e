/** The types of security events: what an audit log keeps. docs/audit-log.md lists them. */
import type { FactorInfo } from "../latchkey-auth.ts"
import type { ProviderType, RequestView } from "../types.ts"
import type { FactorMethod } from "./second-factor-options.ts"

/** The members of each type of event, besides those of all. */
interface SecurityEventDetails {
  /** A session began, once all factors were proven. */
  "sign-in": OfProvider & { readonly method: ProviderType; readonly level: 1 | 2 }
  /** A sign-in was refused. Who it was is known only to whoever tried. */
  "sign-in-refused": OfAttempt & WithReason
  /** A sign-in failed because the server, the database or the provider did. */
  "sign-in-failed": OfAttempt & WithReason
  /** An attempt was one too many. `action` is that of `attemptLimits`. */
  "limit-reached": OfAttempt & { readonly action: string }
  /** A request did not come from a page of the application. */
  "csrf-refused": OfAttempt
  /** A sign-in waits for its second factor. */
  "factor-requested": OfUser & OfProvider
  /** A second factor was proven, for a sign-in or in a session. */
  "factor-proven": OfUser & OfFactor
  "factor-refused": OfUser & OfFactor
  "factor-added": OfUser & OfFactor
  "factor-removed": OfUser & OfFactor
  /** The user is no longer asked for the second factor on a device. */
  "device-trusted": OfUser
  /** The user is asked for it there again. */
  "device-revoked": OfUser
  "sign-out": object
  "user-created": OfUser & OfProvider
  "user-deleted": OfUser
  "account-linked": OfUser & OfProvider & { readonly method: ProviderType }
  "account-unlinked": OfUser & OfProvider
  "passkey-added": OfUser & OfProvider
  "passkey-removed": OfUser & OfProvider
  "passkey-renamed": OfUser & OfProvider
  /** A link or code proved the address of the user. */
  "address-verified": OfUser
  /** A link, or a code, was sent. */
  "email-sent": OfProvider
  /** A session was ended by server code (`actor` is `server`) or by the provider. */
  "session-revoked": OfUser
  /** Server code ended all sessions of a user, except perhaps one. */
  "sessions-revoked": OfUser & { readonly count: number }
  /** The data of a session was changed, by its client or by server code. */
  "session-updated": object
  "token-refreshed": OfUser & OfProvider
  /** The access token of a provider cannot be refreshed: the user has to sign in again. */
  "token-lost": OfUser & OfProvider & WithReason
}

interface OfUser {
  readonly userId: string
}
interface OfProvider {
  /** The id of the provider. */
  readonly provider: string
}
interface OfAttempt {
  /** The id of the provider, if the request names one. */
  readonly provider?: string
}
interface OfFactor {
  readonly factor: FactorInfo["method"] | FactorMethod["id"]
}
interface WithReason {
  /** The type of the error. */
  readonly reason: string
}

interface SecurityEventBase {
  readonly at: Date
  /** Whose account it is about. Undefined if nobody was identified. */
  readonly userId?: string
  /** Who did it: the person at the browser, the provider, or server code. */
  readonly actor: "browser" | "provider" | "server"
  /** Of recorded sessions, and those in cookies. Nobody can sign in with it. */
  readonly sessionId?: string
  /** The network of the client: the address, and of IPv6 the first 64 bits. Undefined for private networks. */
  readonly network?: string
  /** The request, unless server code did it. Not enumerable, so that copies and logs leave it out. */
  readonly request?: RequestView
}

export type SecurityEventType = keyof SecurityEventDetails

/** An entry for an audit log. No event contains a secret. */
export type SecurityEvent = {
  [Type in SecurityEventType]: SecurityEventBase & {
    readonly type: Type
  } & SecurityEventDetails[Type]
}[SecurityEventType]

/** The members of an event that are not known otherwise. Those that are undefined are left out. */
export type SecurityEventFacts<Type extends SecurityEventType> = {
  readonly [Name in "actor" | "sessionId" | "userId"]?: SecurityEventBase[Name] | undefined
} & SecurityEventDetails[Type]
