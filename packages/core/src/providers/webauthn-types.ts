/** The types of passkey providers, and of the package that verifies passkeys. */
import type { Bytes } from "../runtime/bytes.ts"
import type { Awaitable, CredentialInput, User } from "../types.ts"

/** A relying party (WebAuthn Level 3, section 4). */
export interface RelyingParty {
  /** The domain to which passkeys are bound: the host of the origin, or a parent domain. */
  id: string
  /** The name that some devices show. */
  name: string
  /** The origin that may use the passkeys, such as `https://example.com`. */
  origin: string
}

/**
 * One or more relying parties. Entries with the same index belong together, and a single value belongs to all of
 * them.
 */
export type RelyingPartyOptions = {
  [Name in keyof RelyingParty]?: string | readonly string[] | undefined
}

/** The context that `getUserInfo` and `getRelayingParty` receive with the request. */
export interface WebAuthnContext {
  /** The URL of the request, with the origin that the browser sees. */
  readonly url: URL
  /** The provider's definition. */
  readonly provider: Readonly<Record<string, unknown>>
  /** The fields of the form, or of the query if options are requested. */
  readonly fields: Readonly<Record<string, string>>
}

/**
 * The user whom a form claims, before a passkey proves it. With `exists: true`, the response contains the ids of that
 * user's passkeys, which reveals to anyone that the user exists.
 */
export type WebAuthnUserInfo =
  | { readonly exists: true; readonly user: User & { id: string } }
  | { readonly exists: false; readonly user: User }
  | null

/** How much a server wants something of a device (WebAuthn Level 3, sections 5.4.6 and 5.8.6). */
type Requirement = "required" | "preferred" | "discouraged"

/** The options for creating a passkey. */
export interface WebAuthnRegistrationOptions {
  /** How long browsers wait for the device, in milliseconds. @defaultValue 300000 */
  timeout?: number
  /** Whether the authenticator proves its model. @defaultValue `"none"` */
  attestationType?: "none" | "direct" | "enterprise"
  /** The kinds of authenticators that may create a passkey. @defaultValue `{ residentKey: "preferred", userVerification: "preferred" }` */
  authenticatorSelection?: {
    authenticatorAttachment?: "cross-platform" | "platform"
    residentKey?: Requirement
    requireResidentKey?: boolean
    userVerification?: Requirement
  }
  /** COSE algorithm identifiers, best first. @defaultValue `[-8, -7, -257]`: EdDSA, ES256, RS256 */
  supportedAlgorithmIDs?: number[]
  /** The kind of authenticator that browsers offer first. */
  preferredAuthenticatorType?: "securityKey" | "localDevice" | "remoteDevice"
}

/** The options for using a passkey. */
export interface WebAuthnAuthenticationOptions {
  /** How long browsers wait for the device, in milliseconds. @defaultValue 300000 */
  timeout?: number
  /** Whether the authenticator asks for a PIN or a fingerprint. @defaultValue `"preferred"` */
  userVerification?: Requirement
}

/** The checks of a response. */
export interface WebAuthnChecks {
  /**
   * Whether the device must verify the user by PIN or biometrics.
   *
   * @defaultValue true if `userVerification` is `"required"`
   */
  requireUserVerification?: boolean
}

/** A passkey in the format of the verifying package. */
interface WebAuthnCredential {
  /** Base64url. */
  id: string
  /** COSE. */
  publicKey: Bytes
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

/** The response of a device that created a passkey, as JSON. Bytes are base64url. */
export type RegistrationResponseJSON = CredentialResponseJSON<{
  clientDataJSON: string
  attestationObject: string
}>

/** The response of a device that used a passkey, as JSON. Bytes are base64url. */
export type AuthenticationResponseJSON = CredentialResponseJSON<{
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle?: string
}>

interface CredentialDescriptorJSON {
  id: string
  transports?: string[]
}

/** The values that a response has to match. */
export interface ExpectedResponse {
  expectedChallenge: string
  expectedOrigin: string[]
  expectedRPID: string
}

/** The functions of `@simplewebauthn/server`, version 14, that are used. */
export interface WebAuthnServer {
  generateRegistrationOptions(
    options: WebAuthnRegistrationOptions & {
      rpID: string
      rpName: string
      userName: string
      userDisplayName: string
      userID?: Bytes
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
      requireUserVerification: boolean
      /** False for a passkey that the browser creates without asking (section 7.1 step 15). @defaultValue true */
      requireUserPresence?: boolean
      response: RegistrationResponseJSON
      supportedAlgorithmIDs?: number[]
    },
  ): Promise<{
    verified: boolean
    registrationInfo?: {
      /** Names the model of the authenticator; zeros if it does not say. */
      aaguid: string
      credential: WebAuthnCredential
      credentialDeviceType: string
      credentialBackedUp: boolean
    }
  }>
  verifyAuthenticationResponse(
    options: ExpectedResponse & {
      requireUserVerification: boolean
      response: AuthenticationResponseJSON
      credential: WebAuthnCredential
    },
  ): Promise<{
    verified: boolean
    authenticationInfo: {
      newCounter: number
      credentialDeviceType: string
      credentialBackedUp: boolean
    }
  }>
}

/** A passkey provider (WebAuthn Level 3). */
export interface WebAuthnConfig {
  /** Identifies the provider in URLs, in the database and in `signIn`. */
  id: string
  /** The display name. */
  name: string
  type: "webauthn"
  /** The relying party. @defaultValue the host and origin of the request */
  relayingParty?: RelyingPartyOptions
  /**
   * Other websites of yours with other domains, such as `https://example.de`, whose users have the same passkeys. Needs
   * `relayingParty` with one `id`, and the list at `/.well-known/webauthn` there (WebAuthn Level 3, section 5.11).
   */
  relatedOrigins?: readonly string[] | undefined
  /** Returns the relying party for a request. Overrides `relayingParty`. */
  getRelayingParty?: (
    context: WebAuthnContext,
    request: Request,
  ) => Awaitable<{ id: string; name: string; origin: string | readonly string[] }>
  /**
   * Returns the user whom a form claims. By default, it is a new user with the `name` of the form. An `email`, of the
   * form or returned by this function, names the passkey on the device. It is not stored with a new user, because
   * nobody has proven it. The default does not look it up, so it cannot reveal whether a user exists.
   */
  getUserInfo?: (context: WebAuthnContext, request: Request) => Awaitable<WebAuthnUserInfo>
  /** Whether the sign-in page offers passkeys in the autofill of a field. @defaultValue true */
  enableConditionalUI?: boolean
  /** Accepted for compatibility with Auth.js and ignored: the pages have their own script. */
  simpleWebAuthnBrowserVersion?: string | false
  /** The fields of the form on the sign-in page. @defaultValue `name` */
  formFields?: Record<string, CredentialInput>
  /** How passkeys are created. */
  registrationOptions?: WebAuthnRegistrationOptions
  /** How passkeys are used. */
  authenticationOptions?: WebAuthnAuthenticationOptions
  /** How a new passkey is checked. */
  verifyRegistrationOptions?: WebAuthnChecks
  /** How a passkey is checked at a sign-in. */
  verifyAuthenticationOptions?: WebAuthnChecks
  /** The package `@simplewebauthn/server`, version 14, or a function that loads it. */
  simpleWebAuthn?: WebAuthnServer | (() => Promise<WebAuthnServer>)
  /**
   * Whether the provider is that of Auth.js, which needs `experimental.enableWebAuthn`. The passkeys of
   * `@latchkey/core/passkeys` do not need it. @defaultValue true
   */
  isExperimental?: boolean
  options?: WebAuthnUserConfig
}

/** The options of a passkey provider. */
export type WebAuthnUserConfig = {
  [Name in keyof Omit<WebAuthnConfig, "options" | "type">]?: WebAuthnConfig[Name] | undefined
}
