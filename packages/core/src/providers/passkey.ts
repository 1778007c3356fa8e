import type { WebAuthnConfig, WebAuthnUserConfig } from "./types.ts"
import webauthn from "./webauthn.ts"

/**
 * Signs people in with passkeys: credentials that the device finds by itself, and opens for their owner only. Like
 * the provider `webauthn`, with a stored passkey and a check of the person required.
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
