import type { CredentialInput } from "../types.ts"
import type { CredentialsConfig, CredentialsUserConfig } from "./types.ts"

/**
 * Signs people in with what they type, checked by the application's own `authorize`.
 *
 * Verifying passwords, limiting attempts and telling nobody which address exists is the application's part.
 */
export default function credentials<Fields extends Record<string, CredentialInput>>(
  options: CredentialsUserConfig<Fields> & Pick<CredentialsConfig<Fields>, "authorize">,
): CredentialsConfig<Fields> {
  return {
    id: "credentials",
    name: "Credentials",
    type: "credentials",
    // Without fields there is no form on the built-in page: the application shows its own.
    credentials: {} as Fields,
    authorize: options.authorize,
    options,
  }
}
