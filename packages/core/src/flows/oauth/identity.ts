/** The identity that the tokens of a provider prove: fetches the claims of the user, and maps them. */

import { jwtVerify } from "jose"
import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  type IDToken,
  processUserInfoResponse,
  userInfoRequest,
} from "oauth4webapi"
import { toAsciiDomain } from "../../config/adapter-store.ts"
import { OAuthCallbackError, OAuthProfileParseError } from "../../errors.ts"
import { isObject, omitUndefined } from "../../objects.ts"
import type { EmailVerification, ProvenIdentity } from "../../proven-identity.ts"
import type { ProfileContext } from "../../providers/endpoint-types.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { Account, Profile, TokenSet, User } from "../../types.ts"
import { getClockTolerance, verifyIdToken } from "./id-token.ts"
import type { ProviderClient } from "./oauth-context.ts"
import { getProviderKeys } from "./provider-keys.ts"
import { createOAuthClient } from "./token-request.ts"

export type Claims = Record<string, unknown>

/**
 * Returns the claims of the user: those of the ID token once it is verified, or those that the provider returns.
 *
 * @param claims those of the ID token of an OpenID Connect provider
 */
export async function fetchClaims(
  client: ProviderClient,
  tokens: TokenSet,
  claims: IDToken | undefined,
): Promise<Claims> {
  const { provider } = client
  if (provider.type === "oauth") return fetchProfile(client, tokens)
  if (!claims) throw new OAuthCallbackError({ provider: provider.id, expected: "an ID token" })
  await verifyIdToken(client, tokens, claims)
  return provider.usesIdToken ? { ...claims } : fetchUserInfo(client, tokens, claims.sub)
}

/**
 * Requests the userinfo endpoint of an OpenID Connect provider (OIDC Core 5.3).
 *
 * @param subject `sub` of the ID token, which the response must repeat
 */
async function fetchUserInfo(
  { provider, server, fetch }: ProviderClient,
  { access_token = "" }: TokenSet,
  subject: string,
): Promise<Claims> {
  const client = createOAuthClient(provider)
  const options = { [customFetch]: fetch, [allowInsecureRequests]: true } as const
  const rawResponse = await userInfoRequest(server, client, access_token, options)
  const response = (await provider.userinfo.conform?.(rawResponse.clone())) ?? rawResponse
  if (response.status !== 200) throw createUserInfoError(provider.id, response.status)
  if (!/^application\/jwt\b/i.test(response.headers.get("content-type") ?? "")) {
    return processUserInfoResponse(server, client, subject, response)
  }
  // OIDC Core 5.3.2: a signed response names its issuer and its audience.
  const { getKey } = getProviderKeys(provider, server)
  const { payload } = await jwtVerify(await response.text(), getKey, {
    issuer: server.issuer,
    audience: provider.clientId,
    subject,
    clockTolerance: getClockTolerance(provider),
  })
  return payload
}

/** Requests the owner of the access token from an OAuth 2 provider. */
async function fetchProfile(client: ProviderClient, tokens: TokenSet): Promise<Claims> {
  const { provider, fetch } = client
  const { request } = provider.userinfo
  const claims: unknown = request
    ? await request({ tokens, provider: createRequestProvider(client), fetch })
    : await requestProfile(client, tokens)
  if (isObject(claims)) return { ...claims }
  throw createUserInfoError(provider.id)
}

async function requestProfile(
  { provider, server, fetch }: ProviderClient,
  { access_token }: TokenSet,
): Promise<unknown> {
  const url = server.userinfo_endpoint
  if (!url) throw new TypeError(`Provider ${provider.id} has no userinfo endpoint`)
  const headers = {
    authorization: `Bearer ${access_token}`,
    accept: "application/json, application/jwt",
    "user-agent": "latchkey",
  }
  const rawResponse = await fetch(url, { headers })
  const response = (await provider.userinfo.conform?.(rawResponse.clone())) ?? rawResponse
  if (!response.ok) throw createUserInfoError(provider.id, response.status)
  return response.json()
}

/** Creates the provider as `userinfo.request` expects it: with its endpoints as objects. */
function createRequestProvider({ provider, server }: ProviderClient) {
  const endpoint = (url: string | undefined) => ({ url: url === undefined ? url : new URL(url) })
  return {
    ...provider.definition,
    authorization: endpoint(server.authorization_endpoint),
    token: endpoint(server.token_endpoint),
    userinfo: { ...provider.userinfo, ...endpoint(server.userinfo_endpoint) },
  }
}

function createUserInfoError(provider: string, status?: number): OAuthCallbackError {
  const expected = "the userinfo endpoint to describe the user that the tokens belong to"
  const received = status === undefined ? undefined : `status ${status}`
  return new OAuthCallbackError(omitUndefined({ provider, expected, received, status }))
}

/**
 * Maps a profile to a user and an account.
 *
 * @throws OAuthProfileParseError when the provider's `profile` fails, or returns no id
 */
export async function createOAuthIdentity(
  { provider, server, fetch }: ProviderClient,
  profile: Claims,
  tokens: TokenSet,
): Promise<ProvenIdentity> {
  const { mappedUser, emailVerified } = await mapProfile(provider, profile, tokens, { fetch })
  const id = parseAccountId(mappedUser.id)
  if (id === undefined) {
    const expected = `\`profile\` of provider ${provider.id} to return the id of the account`
    throw new OAuthProfileParseError({ provider: provider.id, expected })
  }
  const accountKey = { provider: provider.id, type: provider.type, providerAccountId: id }
  const { userId: _, ...providerTokens } = tokens // a provider does not decide whose account it is
  const account: Account = { ...providerTokens, ...accountKey }
  return {
    user: {
      ...mappedUser,
      id: crypto.randomUUID(),
      ...(mappedUser.email !== undefined && { email: normalizeEmail(mappedUser.email) }),
    },
    account,
    profile: profile as Profile, // claims of a provider: every one is optional
    emailVerification: parseEmailVerification(emailVerified, server),
    storedAccount: { ...omitUndefined((await provider.account(tokens)) ?? {}), ...accountKey },
  }
}

/** Ids that a template produces for a missing value: all users would share one account. */
const placeholderIds: readonly unknown[] = ["", "undefined", "null", "NaN", "[object Object]"]
/** Maximum length of an id in characters (OpenID Connect Core 2, `sub`). */
const maxIdLength = 255

/** Returns the id as text; undefined for a placeholder, or a number that JSON does not keep exactly. */
function parseAccountId(id: unknown): string | undefined {
  const text = Number.isSafeInteger(id) ? String(id) : id
  const isId =
    typeof text === "string" && text.length <= maxIdLength && !placeholderIds.includes(text)
  return isId ? text : undefined
}

async function mapProfile(
  provider: ResolvedOAuthProvider,
  profile: Claims,
  tokens: TokenSet,
  context: ProfileContext,
): Promise<{ mappedUser: User; emailVerified: unknown }> {
  try {
    const mappedUser: unknown = await provider.profile(profile, tokens, context)
    const emailVerified = await provider.emailVerified(profile)
    if (typeof mappedUser === "object" && mappedUser !== null) return { mappedUser, emailVerified }
    throw new TypeError("`profile` did not return an object")
  } catch (cause) {
    const details = { provider: provider.id, claims: Object.keys(profile) }
    throw new OAuthProfileParseError(
      { summary: "The profile could not be read." },
      { ...details, cause },
    )
  }
}

/** Returns an address in lower case, with its domain in ASCII; null for other values, and for addresses that only look like another one. */
function normalizeEmail(email: unknown): string | null {
  if (typeof email !== "string" || email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    return null
  }
  const address = email.toLowerCase()
  // `toLowerCase` turns a Kelvin sign into a k, and NFKC full-width letters into plain ones.
  const isLookAlike =
    address !== address.normalize("NFKC") || countAscii(address) !== countAscii(email)
  return isLookAlike ? null : toAsciiDomain(address)
}

const countAscii = (text: string) => text.replace(/[^\p{ASCII}]/gu, "").length

/** Treats an address as proven only if the provider says so. */
function parseEmailVerification(
  emailVerified: unknown,
  { claims_parameter_supported, claims_supported }: AuthorizationServer,
): EmailVerification {
  if (emailVerified === undefined || emailVerified === null) {
    // The authorization request passes through the browser and may request single claims (OIDC Core 5.5), so that
    // a user could have `email_verified` left out.
    const canBeOmitted =
      claims_parameter_supported === true && claims_supported?.includes("email_verified") !== false
    return canBeOmitted ? "unverified" : "unknown"
  }
  return emailVerified === true || /^(?:true|1)$/i.test(String(emailVerified))
    ? "verified"
    : "unverified"
}
