/**
 * Support for provider objects of Auth.js. Auth.js does not export the symbols of its options, so they are recognised
 * by their descriptions. Only code can create symbols: parsed data never has them.
 */
import { isObject } from "../objects.ts"
import { customFetch } from "../symbols.ts"
import type { PlainObject } from "./merge-definition.ts"
import type { TenantIssuers, UserinfoContext, UserinfoEndpointOptions } from "./types.ts"

const symbolDescriptions = { fetch: "custom-fetch", vendor: "conform-internal" } as const

interface ProviderWithFetch {
  readonly options?: object | undefined
  readonly [customFetch]?: typeof fetch
}

/** Returns the custom `fetch` of a provider, under the symbol of this library or of Auth.js. */
export function getCustomFetch(provider: ProviderWithFetch): typeof fetch | undefined {
  const options: ProviderWithFetch = provider.options ?? {}
  const optionFetch = options[customFetch] ?? readForeignSymbol(options, symbolDescriptions.fetch)
  // On a marked object, Auth.js itself set it to change metadata: `getProviderFixes` does that here.
  const foreignFetch = isAuthjsProvider(provider)
    ? undefined
    : readForeignSymbol(provider, symbolDescriptions.fetch)
  return (optionFetch ?? provider[customFetch] ?? foreignFetch) as typeof fetch | undefined
}

function isAuthjsProvider(provider: object): boolean {
  return readForeignSymbol(provider, symbolDescriptions.vendor) === true
}

function readForeignSymbol(object: object, description: string): unknown {
  const keys = Object.getOwnPropertySymbols(object)
  const key = keys.find((each) => each !== customFetch && each.description === description)
  return key && (object as Record<symbol, unknown>)[key]
}

const entraOrigin = "https://login.microsoftonline.com"

/** Issuers for several tenants, whose metadata has a template as the issuer. */
const tenants: TenantIssuers = {
  metadataIssuers: Object.fromEntries(
    ["common", "organizations", "consumers"].map((tenant) => [
      `${entraOrigin}/${tenant}/v2.0`,
      tenant === "consumers"
        ? `${entraOrigin}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`
        : `${entraOrigin}/{tenantid}/v2.0`,
    ]),
  ),
  tenantClaim: "tid",
  subjectsAreGlobal: true,
}

/** Leaves the nonce out of its ID tokens and refuses PKCE, which the object of Auth.js does not use. */
const linkedInOrigin = "https://www.linkedin.com"

interface ProviderFixes {
  omitsNonce?: boolean
  tenants?: TenantIssuers
  responseParams?: readonly string[]
  emailVerified?: (profile: Record<string, unknown>) => unknown
}

function isMultiTenantIssuer(issuer: unknown): boolean {
  return Object.hasOwn(tenants.metadataIssuers, String(issuer).replace(/\/$/, ""))
}

/** As in `microsoft-entra-id.ts`: an administrator of any tenant can set any address. */
function isEntraEmailVerified({ xms_edov }: Record<string, unknown>): boolean {
  return /^(?:1|true)$/.test(String(xms_edov))
}

/** Returns the fields of a definition that Auth.js implements outside of its provider object. */
export function getProviderFixes(provider: object, issuer: unknown): ProviderFixes {
  const host = typeof issuer === "string" && URL.canParse(issuer) ? new URL(issuer).origin : ""
  if (host === linkedInOrigin) return { omitsNonce: true }
  if (!isAuthjsProvider(provider)) return {}
  if (host === entraOrigin)
    return {
      tenants,
      ...(isMultiTenantIssuer(issuer) ? { emailVerified: isEntraEmailVerified } : {}),
    }
  return host === "https://appleid.apple.com" ? { responseParams: ["user"] } : {}
}

/**
 * Reads the primary address with the object of GitHub, which has no mark: it takes the public address, and does not say
 * whether that is verified. Ours has `emailVerified`, and no issuer.
 */
export function readGitHubAddress(definition: PlainObject): PlainObject {
  const { issuer, emailVerified } = definition
  const userinfo = definition["userinfo"] as UserinfoEndpointOptions<unknown> | undefined
  const { url = "", request } = Object(userinfo) as Partial<UserinfoEndpointOptions<unknown>>
  const isGitHub =
    /\/login\/oauth$/.test(String(issuer)) &&
    /^https:\/\/api\.github\.com\/user$|\/api\/v3\/user$/.test(url)
  if (!isGitHub || !request || emailVerified !== undefined) return definition
  const requestWithAddress = async (context: UserinfoContext) => {
    const profile = await request(context)
    if (!isObject(profile)) return profile
    const { addPrimaryAddress } = await import("./github-address.ts")
    return addPrimaryAddress(context, profile, url)
  }
  return {
    ...definition,
    userinfo: { ...userinfo, request: requestWithAddress },
    // As in `github.ts`: without the scope, nothing is proven.
    emailVerified: ({ email_verified }: PlainObject) => email_verified === true,
  }
}
