/** A way to sign in, as actions describe it to the sign-in page. */
import type { PartialOrUndefined, ProviderStyle } from "../providers/types.ts"
import type { CredentialInput, ProviderType } from "../types.ts"

export interface PageProvider {
  id: string
  name: string
  type: ProviderType
  /** Absolute URL the form posts to. */
  action: string
  style?: PartialOrUndefined<Pick<ProviderStyle, "logo" | "loadLogo" | "brandColor">> | undefined
  /** Fields of the form, for credentials and passkeys. */
  fields?: Record<string, CredentialInput> | undefined
  /** The field that keeps what the visitor typed when the sign-in fails. */
  identifierField?: string | undefined
  passkey?: PasskeyOptions | undefined
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
