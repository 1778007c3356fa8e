import type { CredentialInput } from "../types.ts"
import type { Authorize, CredentialsConfig, CredentialsUserConfig } from "./types.ts"

export type { CredentialInput } from "../types.ts"
export type { CredentialsProviderId } from "./public-types.ts"
export type { CredentialsConfig } from "./types.ts"

/**
 * Signs users in with credentials, which the application checks in `authorize`.
 *
 * The application must verify passwords, limit attempts, and never reveal which addresses exist.
 */
export default function credentials<Fields extends Record<string, CredentialInput>>(
  options: CredentialsUserConfig<Fields> & { authorize: Authorize<Fields> },
): CredentialsConfig<Fields> {
  return {
    id: "credentials",
    name: "Credentials",
    type: "credentials",
    // Without fields, the built-in page has no form, and the application shows its own.
    credentials: {} as Fields,
    authorize: options.authorize,
    options,
  }
}
