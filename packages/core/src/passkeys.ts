/** Passkeys, and how server code manages those of a user. */
import passkeyOfAuthjs from "./providers/passkey.ts"
import type { WebAuthnConfig, WebAuthnUserConfig } from "./providers/types.ts"

export type {
  DeletedPasskeyInput,
  PasskeyInfo,
  PasskeyKey,
  RelatedOrigins,
  RenamedPasskeyInput,
} from "./latchkey-auth.ts"
export type { WebAuthnConfig, WebAuthnUserConfig } from "./providers/types.ts"

/**
 * Signs users in with passkeys, which verify them by a fingerprint, their face or a PIN. The package
 * `@simplewebauthn/server`, which the application installs, verifies the passkeys. An adapter is required.
 *
 * @example
 * providers: [passkey()]
 */
export default function passkey(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  return { ...passkeyOfAuthjs(options), isExperimental: false }
}
