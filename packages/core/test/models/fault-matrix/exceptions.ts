/** The effects of faults that are allowed, with reasons. */
import type { ViolationKind } from "./judge.ts"

export interface Exception {
  readonly reason: string
  readonly calls: RegExp
  /** @defaultValue all faults */
  readonly faults?: RegExp
  /** @defaultValue all flows */
  readonly flows?: RegExp
  /** The violations that are none. @defaultValue only "goes on" */
  readonly kinds?: readonly ViolationKind[]
  /** Matches the details of these violations. */
  readonly details?: RegExp
}

const handlers: readonly Exception[] = [
  {
    reason: "A failing audit log or logger changes nothing else.",
    calls: /^(events|logger)\./,
  },
  {
    reason: "Attempts are counted in memory instead: an outage must not refuse anybody.",
    calls: /^adapter\.(countAttempt|resetAttempts)$/,
  },
  {
    reason: "Without a valid URL to redirect to, the visitor comes to the start page.",
    calls: /^callbacks\.redirect$/,
  },
  {
    reason:
      "The row of a replaced session is deleted later, and a session is renewed at the next check.",
    calls: /^adapter\.(deleteSession|updateSession)$/,
  },
  {
    reason: "Session tokens keep the old tokens of a provider when they cannot be refreshed.",
    calls: /^fetch|^adapter\..*Lease$|^rotation\./,
    flows: /new tokens/,
  },
  {
    reason: "A session that adds an account, and cannot read the one it continues, is not fresh.",
    calls: /^adapter\.getSessionAndUser$/,
    flows: /^(linking an account|adding a passkey)$/,
  },
  {
    reason: "Pages keep their forms when they cannot tell who is signed in.",
    calls: /^adapter\.getSessionAndUser$|^callbacks\.(jwt|session)$|^jwt\.encode$/,
    faults: /^(?!hangs)/,
    flows: /^pages$/,
  },
  {
    reason: "Where there is no session, the sign-out page leads to the callback URL.",
    calls: /^jwt\.decode$|^adapter\.getSessionAndUser$/,
    faults: /^(?!hangs)/,
    flows: /^pages$/,
    kinds: ["redirects"],
  },
]

const unusedResults: readonly Exception[] = [
  {
    reason: "The call did its work, and its result is not used.",
    calls:
      /^adapter\.(createVerificationToken|linkAccount|createAuthenticator|deleteSessions|updateAccount|updateAuthenticatorCounter|deleteUser)$|\.sendVerificationRequest$/,
    faults: /^returns/,
  },
  {
    reason: "The call did its work: the record is looked up, and found.",
    calls: /^adapter\.(createUser|createUserWithAccount|linkAccount|createAuthenticator)$/,
    faults: /after its work|^returns/,
  },
  {
    reason: "A record without the requested key is none. Storing it twice would fail.",
    calls: /^adapter\.(getUserByAccount|getUserByEmail|getAccount|getAuthenticator)$/,
    faults: /^returns/,
  },
  {
    reason: "It is the right record; what its other members mean is up to the adapter.",
    calls:
      /^adapter\.(getUser|updateUser|createUser|listAuthenticatorsByUserId|getSessionAndUser)$/,
    faults: /wrong types/,
  },
  {
    reason: "The result says that the response needs no change.",
    calls: /\.conform$/,
    faults: /null|undefined|wrong types/,
  },
  {
    reason: "Lists of one text become that text where a key or a header is created.",
    calls: /^fetch \/jwks$|^jwt\.encode$/,
    faults: /wrong types/,
  },
  {
    reason:
      "What has other types is not used: neither the loader's functions, nor a claimed user who signs in.",
    calls: /\.simpleWebAuthn$|\.getUserInfo$/,
    faults: /wrong types/,
  },
  {
    reason: "Browsers bind a passkey to their own origin, whatever the options say.",
    calls: /\.getRelayingParty$/,
    faults: /^returns/,
  },
]

const decisions: readonly Exception[] = [
  {
    reason: "As in Auth.js, any true value lets the visitor in.",
    calls: /^callbacks\.signIn$/,
    faults: /a number|an empty object/,
  },
  {
    reason: "A text is where to redirect instead of signing in.",
    calls: /^callbacks\.signIn$/,
    faults: /a text|wrong types/,
    kinds: ["redirects"],
  },
  {
    reason: "The application says whether an address is verified. Others are not stored.",
    calls: /\.emailVerified$/,
    faults: /^returns/,
    kinds: ["goes on", "rows", "retry"],
    details: /the flow|^Ada Lovelace <>: \S+ o/,
  },
  {
    reason: "The application says which tokens are stored with an account.",
    calls: /\.account$/,
    faults: /^returns/,
  },
  {
    reason: "Any text is a valid token.",
    calls: /\.generate(Session|Verification)Token$/,
    faults: /a text/,
  },
  {
    reason: "The application says which address somebody has typed.",
    calls: /\.normalizeIdentifier$/,
    faults: /a text/,
    kinds: ["goes on", "session", "rows", "retry"],
    details: /garbage|the flow/,
  },
  {
    reason: "Without a claimed user, a passkey is added to the user who is signed in.",
    calls: /\.getUserInfo$/,
    faults: /null|undefined/,
    kinds: ["goes on", "session", "rows"],
    details: /the flow|Carl$|Carl.*: passkey webauthn, 1 passkeys$/,
  },
  {
    reason: "An object is a user, who needs no name.",
    calls: /\.authorize$/,
    faults: /an empty object|wrong types/,
    kinds: ["goes on", "session"],
    details: /the flow|nobody/,
  },
]

const sessions: readonly Exception[] = [
  {
    reason: "The application decides on the claims, and ends a session with null.",
    calls: /^callbacks\.jwt$/,
    faults: /null|an empty object|wrong types/,
    kinds: ["goes on", "session", "retry", "rows"],
  },
  {
    reason: "The application decides what a session contains.",
    calls: /^callbacks\.session$/,
    faults: /^returns/,
    kinds: ["goes on", "session"],
    details: /the flow|shows/,
  },
  {
    reason: "The adapter says that there is no such session.",
    calls: /^adapter\.(getSessionAndUser|updateSession)$/,
    faults: /null|undefined/,
    kinds: ["goes on", "session", "retry"],
  },
  {
    reason: "The application's codec says whose token it is. If it throws, the cookie is kept.",
    calls: /^jwt\.decode$/,
    faults: /^(?!hangs)/,
    kinds: ["goes on", "session", "retry"],
    details: /the flow|null|undefined|nobody|refused/,
  },
  {
    reason: "The application's codec accepts only its own tokens.",
    calls: /^jwt\.encode$/,
    faults: /a text/,
    kinds: ["goes on", "session", "retry"],
    details: /the flow|null|refused/,
  },
]

const residues: readonly Exception[] = [
  {
    reason:
      "Each registration is a user of its own. The first one is complete, and its passkey signs in.",
    calls: /./,
    flows: /^new passkey/,
    kinds: ["retry"],
    details: /^Ada <>: passkey webauthn, 1 passkeys; Ada <>: passkey webauthn, 1 passkeys; Carl/,
  },
  {
    reason:
      "A database that hangs does not delete either. The account has no address, and nobody can use it.",
    calls: /^adapter\.(createAuthenticator|linkAccount)$/,
    faults: /hangs|after its work/,
    flows: /passkey/,
    kinds: ["rows", "retry"],
    details: /passkey webauthn, 0 passkeys|passkey webauthn, passkey webauthn, 1 passkeys/,
  },
  {
    reason:
      "Without `createUserWithAccount`, a database that hangs, or makes up ids, may keep a user without an account.",
    calls: /^adapter\.(linkAccount|createUser)$/,
    faults: /hangs|wrong types/,
    kinds: ["rows", "retry"],
  },
]

export const exceptions: readonly Exception[] = [
  ...handlers,
  ...unusedResults,
  ...decisions,
  ...sessions,
  ...residues,
]
