import type { WebAuthnConfig, WebAuthnUserConfig } from "./types.ts"

export type { RelyingParty as RelayingParty, WebAuthnConfig } from "./types.ts"
export type WebAuthnProviderType = "webauthn"
export type GetUserInfo = NonNullable<WebAuthnConfig["getUserInfo"]>

/**
 * Signs users in with passkeys and security keys. The package `@simplewebauthn/server`, which the application installs,
 * verifies them. Experimental: requires `experimental.enableWebAuthn` and an adapter.
 */
export default function webauthn(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  return {
    id: "webauthn",
    name: "WebAuthn",
    // Loaded when a configuration uses it, not when this file is imported.
    simpleWebAuthn: () => import("@simplewebauthn/server"),
    ...omitUndefined(options),
    type: "webauthn",
  }
}

function omitUndefined(options: WebAuthnUserConfig): Partial<WebAuthnConfig> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}
