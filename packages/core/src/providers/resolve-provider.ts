/** Turns an entry of `providers` into the provider that the flows use. */
import { omitUndefined } from "../objects.ts"
import { allowInsecureRequests } from "../symbols.ts"
import type { Account, TokenSet, User } from "../types.ts"
import { getCustomFetch } from "./authjs-compat.ts"
import { isCodeSent } from "./code-senders.ts"
import { findIdentifierField, findTenantFields } from "./form-fields.ts"
import type { PlainObject } from "./merge-definition.ts"
import { parseProvider } from "./parse-provider.ts"
import { resolveWebAuthnFields } from "./resolve-webauthn.ts"
import type {
  ProviderSymbolOptions,
  ResolvedOAuthProvider,
  ResolvedProvider,
} from "./resolved-provider.ts"
import type {
  Check,
  ClientOptions,
  CredentialsConfig,
  EmailConfig,
  OAuthConfig,
  OIDCConfig,
  TokenEndpointOptions,
  UserinfoEndpointOptions,
} from "./types.ts"

/**
 * Parses an entry of `providers` and applies all defaults.
 *
 * @param option where the entry is, such as `providers[0]`
 * @throws InvalidProvider when the entry is not a provider
 * @throws TypeError when one of its fields cannot be used
 */
export function resolveProvider(
  entry: unknown,
  option: string,
  redirectProxyUrl: string | undefined,
): ResolvedProvider {
  const { id, type, definition, source } = parseProvider(entry, option)
  const { name } = definition
  const common = { id, name: typeof name === "string" ? name : id }
  switch (type) {
    case "oauth":
    case "oidc":
      return resolveOAuthProvider(definition, source, common, type, redirectProxyUrl)
    case "email":
      return { ...common, type, ...resolveEmailFields(definition as unknown as EmailConfig) }
    case "credentials": {
      const { credentials, authorize } = definition as unknown as CredentialsConfig
      const fields = credentials ?? {}
      const identifierField = findIdentifierField(fields)
      const tenantFields = findTenantFields(fields)
      return { ...common, type, fields, identifierField, tenantFields, authorize }
    }
    case "webauthn":
      return { ...common, type, ...resolveWebAuthnFields(definition) }
  }
}

function resolveEmailFields(definition: EmailConfig) {
  const { maxAge = 86_400, confirm = false, allowAnyBrowser = false } = definition
  return { maxAge, confirm, allowAnyBrowser, sendsCode: isCodeSent(definition), definition }
}

function resolveOAuthProvider(
  definition: PlainObject,
  symbolOptions: ProviderSymbolOptions & { options?: ProviderSymbolOptions },
  common: { id: string; name: string },
  type: "oauth" | "oidc",
  proxy: string | undefined,
): ResolvedOAuthProvider {
  const config = definition as unknown as OAuthConfig<Record<string, unknown>> &
    Pick<
      OIDCConfig,
      | "end_session_endpoint"
      | "frontChannelLogout"
      | "idToken"
      | "loginPrompt"
      | "omitsNonce"
      | "tenants"
    >
  const authorization = resolveAuthorization(config)
  const checks: readonly Check[] = config.checks ?? ["pkce"]
  const { emailVerified = (profile) => profile["email_verified"] } = config
  const formPost = authorization.params["response_mode"] === "form_post"
  return {
    ...common,
    type,
    style: config.style,
    issuer: config.issuer,
    ...resolveTenants(config),
    wellKnown: config.wellKnown ?? buildWellKnownUrl(config.issuer),
    jwksUri: config.jwks_endpoint,
    authorization,
    token: resolveEndpoint<TokenEndpointOptions>(config.token),
    userinfo: resolveEndpoint<UserinfoEndpointOptions<unknown>>(config.userinfo),
    endSessionUrl: config.end_session_endpoint,
    frontChannelLogout: config.frontChannelLogout === true,
    clientId: config.clientId ?? "",
    clientIdParameter: config.clientIdParameter ?? "client_id",
    clientSecret: config.clientSecret,
    client: (config.client ?? {}) as ClientOptions,
    clockTolerance: config.clockTolerance,
    clientAuthMethod: config.client?.token_endpoint_auth_method,
    usesPkce: checks.includes("pkce"),
    usesNonce: checks.includes("nonce"),
    omitsNonce: config.omitsNonce === true,
    loginPrompt: config.loginPrompt ?? "login",
    usesIdToken: config.idToken ?? true,
    usesFormPost: formPost,
    profile: config.profile ?? defaultProfile,
    emailVerified: typeof emailVerified === "function" ? emailVerified : () => emailVerified,
    responseParams: config.responseParams ?? [],
    // The declared type allows functions that return nothing.
    account: (config.account ?? defaultAccount) as ResolvedOAuthProvider["account"],
    allowEmailLinking: config.allowDangerousEmailAccountLinking === true,
    redirectProxyUrl: formPost
      ? undefined
      : buildProxyCallbackUrl(config.redirectProxyUrl ?? proxy, common.id),
    fetch: getCustomFetch(symbolOptions),
    allowInsecure:
      (symbolOptions.options?.[allowInsecureRequests] ?? symbolOptions[allowInsecureRequests]) ===
      true,
    definition,
  }
}

/** Returns the redirect URI at another deployment. Throws TypeError for an invalid URL. */
function buildProxyCallbackUrl(proxy: string | undefined, id: string): string | undefined {
  if (!proxy) return undefined
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new TypeError(`\`redirectProxyUrl\` of provider \`${id}\` must be an http(s) URL`)
  }
  return `${proxy.replace(/\/$/, "")}/callback/${id}`
}

function resolveTenants({ issuer, tenants }: Pick<OIDCConfig, "issuer" | "tenants">) {
  const announced = issuer && tenants?.metadataIssuers[issuer.replace(/\/$/, "")]
  const isMultiTenant = announced?.includes("{tenantid}")
  return {
    metadataIssuer: announced ?? issuer,
    tenantClaim: isMultiTenant ? tenants?.tenantClaim : undefined,
  }
}

/** Appends the well-known path to the issuer (OpenID Connect Discovery section 4). */
export function buildWellKnownUrl(issuer: string | undefined): string | undefined {
  return issuer && `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
}

function resolveAuthorization(
  config: OAuthConfig<Record<string, unknown>>,
): ResolvedOAuthProvider["authorization"] {
  const { authorization, clientId = "" } = config
  const { url, params } =
    typeof authorization === "string" ? { url: authorization, params: {} } : (authorization ?? {})
  // An invalid URL, such as one without the required `issuer`, is reported with the other options.
  const urlParams = url && URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {}
  const definedParams = Object.entries(params ?? {}).filter(([, value]) => value != null)
  const textParams = definedParams.map(([key, value]) => [
    key,
    toParameter(key, value).replace("{clientId}", () => clientId),
  ])
  const ownParams = { ...urlParams, ...Object.fromEntries(textParams) }
  const overridableParams = config.overridableParams ?? []
  if ("scope" in ownParams || params?.["scope"] === null)
    return { url, params: ownParams, overridableParams }
  const defaultParams = { scope: "openid profile email" }
  return {
    url,
    params: { ...defaultParams, ...ownParams },
    overridableParams: [...overridableParams, ...Object.keys(defaultParams)],
  }
}

function toParameter(name: string, value: unknown): string {
  if (name === "scope" && Array.isArray(value)) return value.join(" ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

function resolveEndpoint<T extends { url?: string; params?: Readonly<Record<string, unknown>> }>(
  endpoint: string | T | undefined,
): Omit<T, "url" | "params"> & { url: string | undefined } {
  if (endpoint === undefined || typeof endpoint === "string") {
    return { url: endpoint } as Omit<T, "url" | "params"> & { url: string | undefined }
  }
  const { url, params, ...rest } = endpoint
  if (!url || !params) return { ...rest, url }
  const full = new URL(url)
  for (const [key, value] of Object.entries(params)) {
    if (value != null) full.searchParams.set(key, String(value))
  }
  return { ...rest, url: full.href }
}

/** Maps the standard claims (OpenID Connect Core 5.1). The user lacks what the profile lacks. */
function defaultProfile(profile: Record<string, unknown>): User {
  const text = (value: unknown) => (typeof value === "string" || value === undefined ? value : null)
  const id = profile["sub"] ?? profile["id"]
  return omitUndefined({
    id: typeof id === "string" || Number.isSafeInteger(id) ? String(id) : undefined,
    name: text(profile["name"] ?? profile["nickname"] ?? profile["preferred_username"]),
    email: text(profile["email"]),
    image: text(profile["picture"]),
  })
}

function defaultAccount({
  access_token,
  id_token,
  refresh_token,
  expires_at,
  scope,
  token_type,
  session_state,
}: TokenSet): Partial<Account> {
  const tokens = { access_token, id_token, refresh_token, expires_at, scope, token_type }
  return omitUndefined({ ...tokens, session_state })
}
