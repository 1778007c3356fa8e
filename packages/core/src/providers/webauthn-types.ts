/** A passkey provider as an application writes it, and what it uses of the package that verifies passkeys. */
import type { Awaitable, CredentialInput, User } from "../types.ts"

/** Whom a passkey is for (WebAuthn Level 3, section 4: Relying Party). */
export interface RelyingParty {
  /** The domain that passkeys are bound to: the host of the origin, or a domain above it. */
  id: string
  /** Shown by some devices. */
  name: string
  /** Where passkeys may be used, such as `https://example.com`. */
  origin: string
}

/**
 * One relying party, or several: entries of the same index belong together, and a value that stands alone belongs to
 * all of them.
 */
export type RelyingPartyOptions = {
  [Name in keyof RelyingParty]?: string | readonly string[] | undefined
}

/** What an own `getUserInfo` or `getRelayingParty` is told besides the request. */
export interface WebAuthnContext {
  /** The URL of the request, with the origin that the browser sees. */
  readonly url: URL
  /** The provider as it was written. */
  readonly provider: Readonly<Record<string, unknown>>
  /** The fields of the form: of the query when options are asked for. */
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Who somebody says they are before a passkey proves it. `exists: true` answers a stranger with the ids of that
 * user's passkeys, which tells them that the user exists.
 */
export type WebAuthnUserInfo =
  | { readonly exists: true; readonly user: User & { id: string } }
  | { readonly exists: false; readonly user: User }
  | null

/** How a passkey is made. */
export interface WebAuthnRegistrationOptions {
  /** In milliseconds. @defaultValue 300000 */
  timeout?: number
  /** @defaultValue `"none"` */
  attestationType?: "none" | "direct" | "enterprise"
  /** @defaultValue `{ residentKey: "preferred", userVerification: "preferred" }` */
  authenticatorSelection?: AuthenticatorSelectionCriteria
  /** COSE algorithm identifiers, best first. @defaultValue `[-8, -7, -257]`: EdDSA, ES256, RS256 */
  supportedAlgorithmIDs?: number[]
  preferredAuthenticatorType?: "securityKey" | "localDevice" | "remoteDevice"
}

/** How a passkey is asked for. */
export interface WebAuthnAuthenticationOptions {
  /** In milliseconds. @defaultValue 300000 */
  timeout?: number
  /** @defaultValue `"preferred"` */
  userVerification?: UserVerificationRequirement
}

/** What has to hold for an answer of a device. */
export interface WebAuthnChecks {
  /** The device checked a PIN, finger or face. @defaultValue whether it was asked for as `"required"` */
  requireUserVerification?: boolean
}

/** A passkey as the verifying package takes and gives it. */
export interface WebAuthnCredential {
  /** Base64url. */
  id: string
  /** COSE. */
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  transports?: string[]
}

/** Options for `navigator.credentials`, as JSON. */
export interface CeremonyOptionsJSON {
  /** Base64url. */
  readonly challenge: string
}

interface CredentialResponseJSON<Response> {
  id: string
  rawId: string
  type: "public-key"
  clientExtensionResults: object
  response: Response
}

/** What a device answers when it made a passkey, as JSON; bytes are base64url. */
export type RegistrationResponseJSON = CredentialResponseJSON<{
  clientDataJSON: string
  attestationObject: string
}>

/** What a device answers when it used a passkey, as JSON; bytes are base64url. */
export type AuthenticationResponseJSON = CredentialResponseJSON<{
  clientDataJSON: string
  authenticatorData: string
  signature: string
}>

interface CredentialDescriptorJSON {
  id: string
  transports?: string[]
}

interface ExpectedResponse {
  expectedChallenge: string
  expectedOrigin: string[]
  expectedRPID: string
  requireUserVerification: boolean
}

/** What is used of `@simplewebauthn/server`, version 14. */
export interface WebAuthnServer {
  generateRegistrationOptions(
    options: WebAuthnRegistrationOptions & {
      rpID: string
      rpName: string
      userName: string
      userDisplayName: string
      excludeCredentials: CredentialDescriptorJSON[]
    },
  ): Promise<CeremonyOptionsJSON>
  generateAuthenticationOptions(
    options: WebAuthnAuthenticationOptions & {
      rpID: string
      allowCredentials?: CredentialDescriptorJSON[]
    },
  ): Promise<CeremonyOptionsJSON>
  verifyRegistrationResponse(
    options: ExpectedResponse & {
      response: RegistrationResponseJSON
      supportedAlgorithmIDs?: number[]
    },
  ): Promise<{
    verified: boolean
    registrationInfo?: {
      credential: WebAuthnCredential
      credentialDeviceType: string
      credentialBackedUp: boolean
    }
  }>
  verifyAuthenticationResponse(
    options: ExpectedResponse & {
      response: AuthenticationResponseJSON
      credential: WebAuthnCredential
    },
  ): Promise<{ verified: boolean; authenticationInfo: { newCounter: number } }>
}

/** A passkey provider (WebAuthn Level 3). Experimental: needs `experimental.enableWebAuthn`. */
export interface WebAuthnConfig {
  /** Names the provider in URLs, in the database and in `signIn`. */
  id: string
  /** Shown to people. */
  name: string
  type: "webauthn"
  /** Whom passkeys are for. @defaultValue the host and origin of the request */
  relayingParty?: RelyingPartyOptions
  /** Decides by request whom passkeys are for; wins over `relayingParty`. */
  getRelayingParty?: (
    context: WebAuthnContext,
    request: Request,
  ) => Awaitable<{ id: string; name: string; origin: string | readonly string[] }>
  /**
   * Says who a form is about. Default: a new user with the `email`, and the `name` if there is one, of the form;
   * whether the address is known to anybody is not looked up, and therefore not told.
   */
  getUserInfo?: (context: WebAuthnContext, request: Request) => Awaitable<WebAuthnUserInfo>
  /** Whether the sign-in page offers passkeys while a field is filled in. @defaultValue true */
  enableConditionalUI?: boolean
  /** Accepted for applications that have it; nothing is loaded from elsewhere. */
  simpleWebAuthnBrowserVersion?: string | false
  /** The fields of the form on the sign-in page. @defaultValue `email` */
  formFields?: Record<string, CredentialInput>
  registrationOptions?: WebAuthnRegistrationOptions
  authenticationOptions?: WebAuthnAuthenticationOptions
  verifyRegistrationOptions?: WebAuthnChecks
  verifyAuthenticationOptions?: WebAuthnChecks
  /** The package that verifies passkeys, or a function that loads it: `@simplewebauthn/server`, version 14. */
  simpleWebAuthn?: WebAuthnServer | (() => Promise<WebAuthnServer>)
  options?: WebAuthnUserConfig
}

/** What an application may write for a passkey provider. */
export type WebAuthnUserConfig = {
  [Name in keyof Omit<WebAuthnConfig, "options" | "type">]?: WebAuthnConfig[Name] | undefined
}
