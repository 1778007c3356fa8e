/** A way to sign in, as the sign-in page offers it. */
import type { CredentialInput, ProviderType } from "../types.ts"

/** One entry of the sign-in page. */
export interface PageProvider {
  id: string
  name: string
  type: ProviderType
  /** Absolute URL the form posts to. */
  action: string
  style?: { logo?: string | undefined; brandColor?: string | undefined } | undefined
  /** Fields of the form, for credentials and passkeys. */
  fields?: Record<string, CredentialInput> | undefined
  /** Where the script of a passkey form asks for options, and whether it offers passkeys at a field. */
  passkey?: { optionsUrl: string; autofill: boolean } | undefined
}
