/** From a provider as it was written to one as it is used. */
import { allowInsecureRequests } from "../symbols.ts"
import type { Account, TokenSet, User } from "../types.ts"
import { type Fields, isPlainObject, mergeDefinition } from "./merge.ts"
import { fetchOf, quirksOf } from "./predecessor.ts"
import type { ProviderSwitches, ResolvedOAuthProvider, ResolvedProvider } from "./resolved.ts"
import type {
  Check,
  ClientOptions,
  CredentialsConfig,
  EmailConfig,
  OAuthConfig,
  OIDCConfig,
  Provider,
  ProviderConfig,
  TokenEndpointOptions,
  UserinfoEndpointOptions,
} from "./types.ts"
import { webAuthnFields } from "./webauthn-fields.ts"

/**
 * Applies the application's options and all defaults to a provider.
 *
 * @throws TypeError when it is not a provider
 */
export function normaliseProvider(
  provider: Provider,
  redirectProxyUrl: string | undefined,
): ResolvedProvider {
  const written = typeof provider === "function" ? provider({}) : provider
  if (typeof written !== "object" || written === null) {
    throw new TypeError("`providers` must hold provider objects or functions that return them")
  }
  const definition = definitionOf(written)
  const { type, id, name } = definition as unknown as ProviderConfig
  if (typeof id !== "string" || !/^[A-Za-z0-9._~-]{1,64}$/.test(id) || id === "undefined") {
    throw new TypeError(
      "`id` of a provider must be 1 to 64 letters, digits, dots, dashes or underscores",
    )
  }
  const common = { id, name: typeof name === "string" ? name : id }
  switch (type) {
    case "oauth":
    case "oidc":
      return normaliseOAuth(definition, written as ProviderSwitches, common, type, redirectProxyUrl)
    case "email":
      return { ...common, type, ...emailFields(definition as unknown as EmailConfig) }
    case "credentials": {
      const { credentials, authorize } = definition as unknown as CredentialsConfig
      return { ...common, type, fields: credentials ?? {}, authorize }
    }
    case "webauthn":
      return { ...common, type, ...webAuthnFields(definition) }
    default:
      throw new TypeError(
        `\`type\` of provider \`${id}\` must be oauth, oidc, email, credentials or webauthn`,
      )
  }
}

/** The provider's own fields under the application's, with `{issuer}` filled in. */
function definitionOf(provider: object): Fields {
  const { options, ...own } = provider as Fields
  const stated = isPlainObject(options) ? mergeDefinition(own, options) : own
  const issuer = stated["issuer"]
  const merged = { ...quirksOf(provider, issuer), ...stated }
  return typeof issuer === "string" ? filled(merged, issuer.replace(/\/$/, "")) : merged
}

/** Endpoints may be written relative to an issuer that only the environment knows. */
function filled(fields: Fields, issuer: string): Fields {
  const entries = Object.entries(fields).map(([key, value]) => {
    if (typeof value === "string") return [key, value.replace(/^\{issuer\}/, issuer)]
    return [key, isPlainObject(value) && "url" in value ? filled(value, issuer) : value]
  })
  return Object.fromEntries(entries)
}

function emailFields(definition: EmailConfig) {
  return { maxAge: definition.maxAge ?? 86_400, confirm: definition.confirm ?? false, definition }
}

function normaliseOAuth(
  definition: Fields,
  written: ProviderSwitches & { options?: ProviderSwitches },
  common: { id: string; name: string },
  type: "oauth" | "oidc",
  proxy: string | undefined,
): ResolvedOAuthProvider {
  const config = definition as unknown as OAuthConfig<Record<string, unknown>> &
    Pick<OIDCConfig, "idToken" | "tenants">
  const authorization = authorizationOf(config)
  const checks: readonly Check[] = config.checks ?? ["pkce"]
  const formPost = authorization.params["response_mode"] === "form_post"
  return {
    ...common,
    type,
    style: config.style,
    issuer: config.issuer,
    ...tenantsOf(config),
    wellKnown: config.wellKnown ?? wellKnownOf(config.issuer),
    jwksUri: config.jwks_endpoint,
    authorization,
    token: endpointOf<TokenEndpointOptions>(config.token),
    userinfo: endpointOf<UserinfoEndpointOptions<unknown>>(config.userinfo),
    clientId: config.clientId ?? "",
    clientIdParameter: config.clientIdParameter ?? "client_id",
    clientSecret: config.clientSecret,
    client: (config.client ?? {}) as ClientOptions,
    pkce: checks.includes("pkce"),
    nonce: checks.includes("nonce"),
    idToken: config.idToken ?? true,
    formPost,
    profile: config.profile ?? defaultProfile,
    emailVerified: config.emailVerified ?? ((profile) => profile["email_verified"]),
    answerClaims: config.answerClaims ?? [],
    // What returns nothing returns undefined.
    account: (config.account ?? defaultAccount) as ResolvedOAuthProvider["account"],
    joinsByEmail: config.allowDangerousEmailAccountLinking === true,
    redirectProxyUrl: formPost
      ? undefined
      : proxiedCallback(config.redirectProxyUrl ?? proxy, common.id),
    fetch: fetchOf(written),
    allowInsecure:
      (written.options?.[allowInsecureRequests] ?? written[allowInsecureRequests]) === true,
    definition,
  }
}

/** The redirect URI at another deployment. Throws TypeError for what is no URL. */
function proxiedCallback(proxy: string | undefined, id: string): string | undefined {
  if (!proxy) return undefined
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new TypeError(`\`redirectProxyUrl\` of provider \`${id}\` must be an http(s) URL`)
  }
  return `${proxy.replace(/\/$/, "")}/callback/${id}`
}

function tenantsOf({ issuer, tenants }: Pick<OIDCConfig, "issuer" | "tenants">) {
  const announced = issuer && tenants?.announced[issuer.replace(/\/$/, "")]
  const shared = announced?.includes("{tenantid}")
  return { announcedIssuer: announced ?? issuer, tenantClaim: shared ? tenants?.claim : undefined }
}

/** OpenID Connect Discovery 4: the path is appended to the issuer. */
function wellKnownOf(issuer: string | undefined): string | undefined {
  return issuer && `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
}

function authorizationOf(
  config: OAuthConfig<Record<string, unknown>>,
): ResolvedOAuthProvider["authorization"] {
  const written = config.authorization
  const { url, params } =
    typeof written === "string" ? { url: written, params: {} } : (written ?? {})
  const own = url ? Object.fromEntries(new URL(url).searchParams) : {}
  const given = Object.entries(params ?? {}).filter(([, value]) => value != null)
  const scope = params?.["scope"] === null ? {} : { scope: "openid profile email" }
  const texts = given.map(([key, value]) => [
    key,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ])
  return { url, params: { ...scope, ...own, ...Object.fromEntries(texts) } }
}

function endpointOf<T extends { url?: string; params?: Readonly<Record<string, unknown>> }>(
  written: string | T | undefined,
): Omit<T, "url" | "params"> & { url: string | undefined } {
  if (written === undefined || typeof written === "string") {
    return { url: written } as Omit<T, "url" | "params"> & { url: string | undefined }
  }
  const { url, params, ...rest } = written
  if (!url || !params) return { ...rest, url }
  const full = new URL(url)
  for (const [key, value] of Object.entries(params)) {
    if (value != null) full.searchParams.set(key, String(value))
  }
  return { ...rest, url: full.href }
}

/** The standard claims (OpenID Connect Core 5.1). */
function defaultProfile(profile: Record<string, unknown>): User {
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null)
  const id = profile["sub"] ?? profile["id"]
  return {
    ...(typeof id === "string" || Number.isSafeInteger(id) ? { id: String(id) } : {}),
    name: text(profile["name"] ?? profile["nickname"] ?? profile["preferred_username"]),
    email: text(profile["email"]),
    image: text(profile["picture"]),
  }
}

const storedTokens = [
  "access_token",
  "id_token",
  "refresh_token",
  "expires_at",
  "scope",
  "token_type",
  "session_state",
] as const

function defaultAccount(tokens: TokenSet): Partial<Account> {
  const stored = storedTokens.filter((name) => tokens[name] !== undefined)
  return Object.fromEntries(stored.map((name) => [name, tokens[name]]))
}
