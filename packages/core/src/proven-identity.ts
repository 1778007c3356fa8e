/** Types that flows hand on to sessions. */
import type { AdapterUser, Authenticator } from "./adapters.ts"
import type { FactorMethodId } from "./latchkey-auth.ts"
import type { Account, Profile, User } from "./types.ts"

/** Whether the provider says that the address belongs to the user: yes, no, or nothing. */
export type EmailVerification = "verified" | "unverified" | "unknown"

/** How and when a provider authenticated the user, as its ID token says (OpenID Connect Core 2). */
export interface Authentication {
  /** `auth_time`, in seconds since 1970. */
  readonly authTime?: number | undefined
  readonly acr?: string | undefined
  readonly amr?: readonly string[] | undefined
  /** `sid`: the session at the provider (OpenID Connect Back-Channel Logout 2.1). */
  readonly providerSessionId?: string | undefined
}

/** An identity that a flow has proven. */
export interface ProvenIdentity {
  /** The user as the provider describes them. `id` is provisional until the stored user is found or created. */
  readonly user: User & { id: string }
  readonly account: Account
  readonly profile?: Profile
  /** The fields of a credentials form. */
  readonly credentials?: Record<string, unknown>
  readonly emailVerification: EmailVerification
  /** Only of OpenID Connect providers. */
  readonly authentication?: Authentication
  /** The part of the account that is stored with the user. */
  readonly storedAccount: Account
  /** A new passkey, to be stored with the account. */
  readonly newPasskey?: Authenticator
  /** The passkey that was created or used. */
  readonly passkey?: ProvenPasskey
}

/** The data that a device sends about a passkey that it has created or used. */
interface ProvenPasskey {
  readonly credentialID: string
  readonly isBackedUp: boolean
  /** The AAGUID of the authenticator, of a new passkey. */
  readonly aaguid?: string
}

/** The changes of sessions that were known when a request to sign in arrived, with `session.records`. */
export interface SignInSnapshot {
  /** Names the sign-in, which spares itself when it ends the other sessions of its user. */
  readonly id: string
  /** How many changes of sessions were known. */
  readonly position: number
}

/** The user whom a sign-in leads to. */
export interface SignInResult
  extends Pick<ProvenIdentity, "account" | "profile" | "authentication"> {
  readonly user: User | AdapterUser
  /** Undefined without a database. */
  readonly isNewUser: boolean | undefined
  /** Whether the account was added to the user who was signed in. That does not prove that they are this user. */
  readonly isAddedAccount?: boolean | undefined
  /** Whether the session outlasts the browser; undefined if the sign-in does not say. */
  readonly rememberMe?: boolean | undefined
  /** Whether the database has had the user since before the sign-in. */
  readonly isKnownUser?: boolean | undefined
  /** When the second factor was proven, in seconds since 1970, if the sign-in needed or had one. */
  readonly factorTime?: number | undefined
  /** The method of that factor; undefined if the provider has asked for it. */
  readonly factorMethod?: FactorMethodId | undefined
  /** Only with `session.records`. Test sessions have none. */
  readonly snapshot?: SignInSnapshot | undefined
}
