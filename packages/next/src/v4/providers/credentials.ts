import coreCredentials, {
  type CredentialInput,
  type CredentialsConfig,
} from "@latchkey/core/providers/credentials"
import type { Awaitable, User } from "@latchkey/core/types"

export type { CredentialInput, CredentialsConfig } from "@latchkey/core/providers/credentials"

/** The options of {@link credentials}. */
export interface CredentialsOptions<Fields extends Record<string, CredentialInput>>
  extends Omit<Parameters<typeof coreCredentials<Fields>>[0], "authorize"> {
  /** Returns the user, or null if the credentials are wrong. */
  authorize(
    credentials: Record<keyof Fields, string> | undefined,
    request: Request,
  ): Awaitable<User | null>
}

/**
 * Signs users in with credentials, which the application checks in `authorize`. As in NextAuth.js 4, each of them is text: a
 * request with other values is refused before.
 */
export default function credentials<Fields extends Record<string, CredentialInput>>(
  options: CredentialsOptions<Fields>,
): CredentialsConfig<Fields> {
  const authorize = options.authorize as Parameters<typeof coreCredentials<Fields>>[0]["authorize"]
  return coreCredentials<Fields>({ ...options, authorize })
}
