/**
 * Provider objects of the library before this one, taken as they are. Its switches are symbols of its own, and no
 * import leads to them: they are known by their descriptions, which only code can write.
 */
import { customFetch } from "../symbols.ts"
import type { TenantIssuers } from "./types.ts"

const descriptions = { fetch: "custom-fetch", vendor: "conform-internal" } as const

interface Written {
  readonly options?: object | undefined
  readonly [customFetch]?: typeof fetch
}

/** The `fetch` that the application gives a provider, under our symbol or the predecessor's. */
export function fetchOf(provider: Written): typeof fetch | undefined {
  const options: Written = provider.options ?? {}
  const chosen = options[customFetch] ?? foreign(options, descriptions.fetch)
  // On a marked object it is not the application's: it bends metadata that `quirksOf` describes instead.
  const own = isMarked(provider) ? undefined : foreign(provider, descriptions.fetch)
  return (chosen ?? provider[customFetch] ?? own) as typeof fetch | undefined
}

function isMarked(provider: object): boolean {
  return foreign(provider, descriptions.vendor) === true
}

function foreign(object: object, description: string): unknown {
  const keys = Object.getOwnPropertySymbols(object)
  const key = keys.find((each) => each !== customFetch && each.description === description)
  return key && (object as Record<symbol, unknown>)[key]
}

const entra = "https://login.microsoftonline.com"

/** Issuers that stand for several tenants, which announce a template. */
const tenants: TenantIssuers = {
  announced: Object.fromEntries(
    ["common", "organizations", "consumers"].map((tenant) => [
      `${entra}/${tenant}/v2.0`,
      tenant === "consumers"
        ? `${entra}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`
        : `${entra}/{tenantid}/v2.0`,
    ]),
  ),
  claim: "tid",
}

interface Quirks {
  tenants?: TenantIssuers
  answerClaims?: readonly string[]
  emailVerified?: (profile: Record<string, unknown>) => unknown
}

function isShared(issuer: unknown): boolean {
  return Object.hasOwn(tenants.announced, String(issuer).replace(/\/$/, ""))
}

/** As in `microsoft-entra-id.ts`: an administrator of any tenant can write any address. */
function emailVerified({ xms_edov }: Record<string, unknown>): boolean {
  return /^(?:1|true)$/.test(String(xms_edov))
}

/** What a marked object leaves to its library, as fields of a definition. */
export function quirksOf(provider: object, issuer: unknown): Quirks {
  if (!isMarked(provider)) return {}
  const host = typeof issuer === "string" && URL.canParse(issuer) ? new URL(issuer).origin : ""
  if (host === entra) return { tenants, ...(isShared(issuer) ? { emailVerified } : {}) }
  return host === "https://appleid.apple.com" ? { answerClaims: ["user"] } : {}
}
