import type { WebAuthnConfig, WebAuthnUserConfig } from "./types.ts"

/**
 * Signs people in with passkeys and security keys, verified by the package `@simplewebauthn/server`, which the
 * application installs. Experimental: needs `experimental.enableWebAuthn` and an adapter.
 */
export default function webauthn(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  return {
    id: "webauthn",
    name: "WebAuthn",
    // Loaded when a configuration uses it, and not by whoever imports this file.
    simpleWebAuthn: () => import("@simplewebauthn/server"),
    ...omitUndefined(options),
    type: "webauthn",
  }
}

function omitUndefined(options: WebAuthnUserConfig): Partial<WebAuthnConfig> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}
