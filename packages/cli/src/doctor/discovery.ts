/** Asks identity providers for their metadata, as a first sign-in would. */
import { customFetch } from "@latchkey/core"
import { type DoctorContext, listProviders, type ProviderInfo } from "./doctor-context.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createSkippedFinding,
  createWarningFinding,
  describeError,
  type Finding,
} from "./finding.ts"
import { withTimeout } from "./timeout.ts"

export async function* checkDiscovery(context: DoctorContext): AsyncGenerator<Finding> {
  const providers = listProviders(context).filter(
    ({ options }) => getMetadataUrl(options) !== undefined,
  )
  if (providers.length === 0) return
  if (!context.online) {
    const names = providers.map(({ id }) => id).join(", ")
    yield createSkippedFinding(
      "discovery",
      `Metadata of ${names} was not asked for.`,
      "Add --online.",
    )
    return
  }
  for (const provider of providers) yield await checkProviderMetadata(provider)
}

function getMetadataUrl(options: ProviderInfo["options"]): string | undefined {
  const { wellKnown, issuer } = options
  if (typeof wellKnown === "string" && URL.canParse(wellKnown)) return wellKnown
  if (typeof issuer !== "string" || !URL.canParse(issuer)) return undefined
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
}

async function checkProviderMetadata({ id, options }: ProviderInfo): Promise<Finding> {
  const url = getMetadataUrl(options) ?? ""
  const customFetchOption = (options as { [customFetch]?: typeof fetch })[customFetch]
  const fetchMetadata = customFetchOption ?? fetch
  try {
    const response = await withTimeout(
      fetchMetadata(url, { redirect: "manual", headers: { accept: "application/json" } }),
    )
    if (response.status === 200)
      return compareMetadata(id, options, url, await withTimeout(response.json()))
    return createErrorFinding(
      "discovery-missing",
      `${id}: ${url} answers ${response.status} instead of metadata.`,
      "Compare `issuer` with the provider's documentation, letter by letter: realm, tenant and path belong to it.",
    )
  } catch (error) {
    const isInvalidJson = error instanceof SyntaxError
    return createErrorFinding(
      isInvalidJson ? "discovery-unreadable" : "discovery-unreachable",
      `${id}: ${url} ${isInvalidJson ? "answers no JSON" : `cannot be reached: ${describeError(error)}`}`,
      isInvalidJson
        ? "A proxy or a login page may stand before it: open the URL in a browser."
        : "Check the host name of `issuer`, and whether this machine may reach it.",
    )
  }
}

const requiredEndpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const

function compareMetadata(
  id: string,
  options: ProviderInfo["options"],
  url: string,
  document: unknown,
): Finding {
  const metadata: Record<string, unknown> = { ...Object(document) }
  const { issuer } = options
  if (typeof issuer === "string" && metadata["issuer"] !== issuer) {
    return createErrorFinding(
      "discovery-issuer",
      `${id}: the configuration says the issuer is ${issuer}, its metadata says ${String(metadata["issuer"])}.`,
      "Use the metadata's spelling: a slash at the end counts (OpenID Connect Discovery 4.3).",
    )
  }
  const missing = requiredEndpoints.filter((name) => typeof metadata[name] !== "string")
  if (missing.length > 0) {
    return createErrorFinding(
      "discovery-incomplete",
      `${id}: ${url} names no ${missing.join(", ")}.`,
      "Give the endpoints in the provider's configuration.",
    )
  }
  const methods: unknown = metadata["code_challenge_methods_supported"]
  if (Array.isArray(methods) && !methods.includes("S256")) {
    return createWarningFinding(
      "discovery-no-pkce",
      `${id} does not know PKCE with S256; a nonce takes its place.`,
      "Nothing, or a newer version of the provider.",
    )
  }
  return createGoodFinding("discovery", `${id}: ${url} agrees with the configuration`)
}
