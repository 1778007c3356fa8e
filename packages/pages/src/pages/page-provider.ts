/** A way to sign in, as actions describe it to the sign-in page. */
import type { CredentialInput } from "./form-field.ts"
import type { ProviderLogo } from "./provider-logo.ts"

/** How visitors sign in with a provider. */
export type ProviderType = "oauth" | "oidc" | "email" | "credentials" | "webauthn"

export interface PageProvider {
  id: string
  name: string
  type: ProviderType
  /** Absolute URL the form posts to. */
  action: string
  style?: ProviderButtonStyle | undefined
  /** Fields of the form, for credentials and passkeys. */
  fields?: Record<string, CredentialInput> | undefined
  /** The field that keeps what the visitor typed when the sign-in fails. */
  identifierField?: string | undefined
  passkey?: PasskeyOptions | undefined
}

/** The style of a provider's button. */
interface ProviderButtonStyle {
  /** Path or data URL of a logo with 24 by 24 pixels. */
  logo?: string | undefined
  /** Loads the logo that the page draws if there is no `logo`. */
  loadLogo?: (() => Promise<{ readonly logo: ProviderLogo }>) | undefined
  /** CSS colour. */
  brandColor?: string | undefined
}

export interface PasskeyOptions {
  /** URL from which the script of a passkey form requests options. */
  optionsUrl: string
  /** Whether browsers offer passkeys in a field. */
  autofill: boolean
  /** Whether users say who they are before they sign in: some security keys do not store it. */
  asksWhoSignsIn: boolean
}

/** Whether the provider's form has inputs. */
export function hasInputs({ type, passkey }: PageProvider): boolean {
  return type === "email" || type === "credentials" || passkey?.asksWhoSignsIn === true
}
