/** Fetches the metadata of identity providers, as the first sign-in does. */
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
      `The metadata of ${names} was not fetched.`,
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
      `${id}: ${url} returned status ${response.status} instead of metadata.`,
      "Compare `issuer` with the provider's documentation, character by character. It includes the realm, tenant and path.",
    )
  } catch (error) {
    const isInvalidJson = error instanceof SyntaxError
    return createErrorFinding(
      isInvalidJson ? "discovery-unreadable" : "discovery-unreachable",
      `${id}: ${url} ${isInvalidJson ? "did not return JSON" : `cannot be reached: ${describeError(error)}`}`,
      isInvalidJson
        ? "A proxy or a login page may intercept the request. Open the URL in a browser."
        : "Check the host name of `issuer`, and whether this machine can reach it.",
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
      `${id}: the issuer is ${issuer} in the configuration, but ${String(metadata["issuer"])} in the metadata.`,
      "Use the spelling of the metadata. A trailing slash matters (OpenID Connect Discovery 4.3).",
    )
  }
  const missing = requiredEndpoints.filter((name) => typeof metadata[name] !== "string")
  if (missing.length > 0) {
    return createErrorFinding(
      "discovery-incomplete",
      `${id}: ${url} lacks ${missing.join(", ")}.`,
      "Set the endpoints in the provider's configuration.",
    )
  }
  const methods: unknown = metadata["code_challenge_methods_supported"]
  if (Array.isArray(methods) && !methods.includes("S256")) {
    return createWarningFinding(
      "discovery-no-pkce",
      `${id} does not support PKCE with S256. A nonce is used instead.`,
      "No change is required. A newer version of the provider may support it.",
    )
  }
  return createGoodFinding("discovery", `${id}: ${url} matches the configuration`)
}
