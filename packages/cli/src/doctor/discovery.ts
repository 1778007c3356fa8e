/** Fetches the metadata of identity providers, as the first sign-in does. */
import { customFetch } from "@latchkey/core"
import type { ProviderInfo } from "./doctor-context.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createWarningFinding,
  describeError,
  type Finding,
} from "./finding.ts"
import { withTimeout } from "./timeout.ts"

/** Returns the URL of a provider's metadata; undefined if the configuration has no issuer. */
function getMetadataUrl(options: ProviderInfo["options"]): string | undefined {
  const { wellKnown, issuer } = options
  if (typeof wellKnown === "string" && URL.canParse(wellKnown)) return wellKnown
  if (typeof issuer !== "string" || !URL.canParse(issuer)) return undefined
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
}

/** Returns the `fetch` of a provider. */
export function getProviderFetch(
  options: ProviderInfo["options"] & { readonly [customFetch]?: typeof fetch },
): typeof fetch {
  return options[customFetch] ?? fetch
}

/** Compares the metadata of a provider with its configuration. */
export async function* checkDiscovery(provider: ProviderInfo): AsyncGenerator<Finding> {
  const url = getMetadataUrl(provider.options)
  if (url !== undefined) yield await checkProviderMetadata(provider, url)
}

async function checkProviderMetadata({ id, options }: ProviderInfo, url: string): Promise<Finding> {
  const fetchMetadata = getProviderFetch(options)
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
