/** Verifies logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
import type { AuthorizationServer } from "oauth4webapi"
import { isOutage } from "../../errors/classify-error.ts"
import { InvalidEndpoints, InvalidLogoutToken } from "../../errors.ts"
import { isObject } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import {
  decodeClaims,
  findTenant,
  getClockTolerance,
  isShortText,
  maxClockTolerance,
  verifySignature,
} from "./id-token.ts"
import type { OAuthContext } from "./oauth-context.ts"

/** The content of a logout token. It has a `sid`, a `sub`, or both. */
export interface LogoutToken {
  readonly issuer: string
  /** Names the token. */
  readonly id: string
  /** When it was issued, in seconds since 1970. */
  readonly issuedAt: number
  readonly sid: string | undefined
  readonly sub: string | undefined
}

/** How long a token is accepted after it was issued, in seconds: providers may try again after an outage. */
const maxAge = 600
/** How long a token may be accepted, in seconds, so that a `jti` has to be remembered. */
export const logoutTokenLifetime: number = maxAge + 2 * maxClockTolerance

const maxTokenLength = 16_384
const eventName = "http://schemas.openid.net/event/backchannel-logout"

/** Providers from before the type was registered use `JWT`. */
const typePattern = /^(?:application\/)?(?:logout\+)?jwt$/i

type Claims = Readonly<Record<string, unknown>>

/**
 * Verifies a logout token: what it claims before its signature, so that a token for somebody else costs no request.
 *
 * @throws InvalidLogoutToken; the error of the provider if its metadata or keys cannot be fetched
 */
export async function verifyLogoutToken(
  { provider, getMetadata }: Pick<OAuthContext, "provider" | "getMetadata">,
  token: string,
): Promise<LogoutToken> {
  const createError = (expected: string, cause?: unknown) =>
    new InvalidLogoutToken({ provider: provider.id, expected, cause })
  const claims = token.length <= maxTokenLength ? decodeClaims(token) : undefined
  if (!claims) throw createError("a signed JWT of at most 16 KiB as `logout_token`")
  const failed = listChecks(claims, provider).find(([holds]) => !holds)
  if (failed) throw createError(`${failed[1]} in the logout token`)
  const { iss, iat, sid, sub, jti } = claims
  const server = await getMetadata(provider)
  const tenantClaims = findTenantClaims(claims, provider, server)
  if (!tenantClaims) throw createError("`iss` in the logout token to be the issuer of the provider")
  const verified = verifySignature({ provider, server }, token, { ...claims, ...tenantClaims })
  const { typ } = await verified.catch((cause: unknown) => {
    // Without the provider's keys, nothing is known about the token.
    if (isOutage(cause) || cause instanceof InvalidEndpoints) throw cause
    throw createError("the logout token to be signed by a key of the provider", cause)
  })
  // RFC 8725 section 3.11: an ID token or an access token is not a logout token.
  const isLogoutToken = typ === undefined || (typeof typ === "string" && typePattern.test(typ))
  if (!isLogoutToken) throw createError("a logout token, not a token of another type")
  // `listChecks` has checked the types.
  return { issuer: iss, id: jti, issuedAt: iat, sid, sub } as LogoutToken
}

/** Lists what has to hold of the claims alone, with what is expected. */
function listChecks(
  claims: Claims,
  provider: ResolvedOAuthProvider,
): readonly (readonly [holds: boolean, expected: string])[] {
  const { aud, iat, exp, events, sid, sub, jti } = claims
  const now = Math.floor(Date.now() / 1000)
  const tolerance = getClockTolerance(provider)
  const event: unknown = isObject(events) && Object.hasOwn(events, eventName) && events[eventName]
  return [
    [[aud].flat().includes(provider.clientId), "`aud` to be this client"],
    [Number.isFinite(iat) && Number(iat) <= now + tolerance, "`iat` not to lie in the future"],
    [Number(iat) >= now - maxAge - tolerance, "`iat` of the last minutes"],
    [Number.isFinite(exp) && Number(exp) > now - tolerance, "`exp` in the future"],
    [isObject(event), `\`events\` with an object as \`${eventName}\``],
    // An ID token may have one: none must pass as a logout token.
    [!("nonce" in claims), "no `nonce`"],
    [
      [sid, sub].every((value) => value === undefined || isShortText(value)),
      "text of at most 255 characters as `sid` and `sub`",
    ],
    [sid !== undefined || sub !== undefined, "`sid` or `sub`"],
    [isShortText(jti), "text of at most 255 characters as `jti`"],
  ]
}

/**
 * Returns the claim that names the tenant of the issuer, empty for a provider without tenants; undefined if the issuer
 * is not the provider's. The signature is verified with the keys of this issuer.
 */
function findTenantClaims(
  { iss, ...claims }: Claims,
  { tenantClaim }: ResolvedOAuthProvider,
  server: AuthorizationServer,
): Claims | undefined {
  if (tenantClaim === undefined) return iss === server.issuer ? {} : undefined
  const tenant = findTenant(String(iss), server)
  const claimed = claims[tenantClaim] ?? tenant
  return tenant !== undefined && claimed === tenant ? { [tenantClaim]: tenant } : undefined
}
