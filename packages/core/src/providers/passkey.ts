import type { WebAuthnConfig, WebAuthnUserConfig } from "./types.ts"
import webauthn from "./webauthn.ts"

/**
 * Signs users in with passkeys. Like the provider `webauthn`, but discoverable credentials and user verification are
 * required.
 */
export default function passkey(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  const { id, name, authenticationOptions, registrationOptions, ...rest } = options
  return webauthn({
    ...rest,
    id: id ?? "passkey",
    name: name ?? "Passkey",
    authenticationOptions: { userVerification: "required", ...authenticationOptions },
    registrationOptions: {
      ...registrationOptions,
      authenticatorSelection: {
        residentKey: "required",
        userVerification: "required",
        ...registrationOptions?.authenticatorSelection,
      },
    },
  })
}
