import { type AppleKey, createAppleClientSecret } from "../apple-client-secret.ts"
import type { OIDCConfig, OIDCUserConfig, ProviderProfile, TokenEndpointOptions } from "../types.ts"

/** Details of the user that Apple sends unsigned through the browser. */
export interface AppleNonConformUser {
  name: { firstName: string; lastName: string }
  email: string
}

/** A user profile of Apple. */
export interface AppleProfile extends ProviderProfile {
  sub: string
  /** May be an address that forwards to the user's own address. */
  email: string
  email_verified: boolean | "true" | "false"
  is_private_email: boolean | "true" | "false"
  /** Only at the first sign-in. */
  user?: AppleNonConformUser
}

/** The options of {@link apple}: a `clientSecret`, or the three parts of the key to create one. */
export type AppleOptions = OIDCUserConfig<AppleProfile> & {
  [Part in keyof AppleKey]?: AppleKey[Part] | undefined
}

/**
 * Sign-in with Apple. `clientId` is the id of the service. With `teamId`, `keyId` and `privateKey`, the client
 * secret is signed for each request. A `clientSecret` that you create yourself expires within six months.
 *
 * Addresses: verified if `email_verified` is true.
 *
 * @throws TypeError when only some of the parts of the key are set
 * @see https://developer.apple.com/documentation/signinwithapplerestapi
 */
export default function apple(options: AppleOptions = {}): OIDCConfig<AppleProfile> {
  const { teamId, keyId, privateKey, ...rest } = options
  return {
    id: "apple",
    name: "Apple",
    type: "oidc",
    issuer: "https://appleid.apple.com",
    // With a scope, Apple requires form_post. PKCE is not documented, so the nonce binds the code to the sign-in.
    authorization: { params: { scope: "openid name email", response_mode: "form_post" } },
    checks: ["nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    token: createTokenEndpoint({ teamId, keyId, privateKey }),
    responseParams: ["user"],
    style: { brandColor: "#000000", loadLogo: () => import("@latchkey/pages/logos/apple") },
    profile: (profile) => ({
      id: profile.sub,
      name: formatFullName(profile),
      email: profile.email ?? null,
      image: null,
    }),
    options: rest,
  }
}

function formatFullName({ user }: AppleProfile): string | null {
  const parts: unknown[] = [user?.name?.firstName, user?.name?.lastName]
  return parts.filter((part) => typeof part === "string" && part).join(" ") || null
}

function createTokenEndpoint(
  keyParts: {
    [Part in keyof AppleKey]: AppleKey[Part] | undefined
  },
): TokenEndpointOptions {
  const { teamId, keyId, privateKey } = keyParts
  if (!teamId && !keyId && !privateKey) return {}
  if (teamId && keyId && privateKey) {
    const key = { teamId, keyId, privateKey }
    return { clientSecret: (clientId) => createAppleClientSecret(clientId, key) }
  }
  const missing = Object.entries(keyParts).filter(([, value]) => !value)
  const names = missing.map(([name]) => `\`${name}\``).join(" and ")
  throw new TypeError(`Provider apple needs ${names} too, because other parts of its key are set`)
}
