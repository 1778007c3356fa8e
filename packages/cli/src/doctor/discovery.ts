/** Fetches the metadata of identity providers, as the first sign-in does. */
import { customFetch } from "@latchkey/core"
import type { ProviderInfo } from "./doctor-context.ts"
import { getProviderVariable } from "./environment-variables.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createWarningFinding,
  describeError,
  type Finding,
} from "./finding.ts"
import { readText } from "./response-body.ts"
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
    const clockFinding = compareClocks(id, options, response.headers.get("date"))
    if (clockFinding) return clockFinding
    if (response.status === 200)
      return compareMetadata(id, options, url, JSON.parse(await readText(response)))
    return createErrorFinding(
      "discovery-missing",
      `${id}: ${url} returned status ${response.status} instead of metadata.`,
      "Compare `issuer` with the provider's documentation, character by character. It includes the realm, tenant and path.",
    )
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    if (isTooLarge || error instanceof SyntaxError)
      return createErrorFinding(
        "discovery-unreadable",
        `${id}: ${url} ${isTooLarge ? "returned more than 1 MB" : "did not return JSON"}.`,
        "A proxy or a login page may intercept the request. Open the URL in a browser.",
      )
    return createErrorFinding(
      "discovery-unreachable",
      `${id}: ${url} cannot be reached: ${describeError(error)}`,
      `Check the host name of \`issuer\` (${getProviderVariable(id, "ISSUER")}), and whether this machine can reach it.`,
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
  if (typeof issuer === "string" && !isSameIssuer(metadata["issuer"], issuer)) {
    return createErrorFinding(
      "discovery-issuer",
      `${id}: the issuer is ${issuer} in the configuration, but ${String(metadata["issuer"])} in the metadata.`,
      "Use the spelling of the metadata. A trailing slash matters (OpenID Connect Discovery 4.3).",
    )
  }
  const algorithmFinding = compareAlgorithms(id, options, metadata)
  if (algorithmFinding) return algorithmFinding
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

/** Whether two issuers are the same. As in URLs, a slash after the host makes no difference. */
function isSameIssuer(a: unknown, b: string): boolean {
  return (
    a === b || (typeof a === "string" && URL.canParse(a) && new URL(a).href === new URL(b).href)
  )
}

/** The algorithm that the configuration expects must be one of those that the provider signs with. */
function compareAlgorithms(
  id: string,
  { client, type }: ProviderInfo["options"],
  metadata: Readonly<Record<string, unknown>>,
): Finding | undefined {
  const expected: unknown = Object(client).id_token_signed_response_alg
  const supported: unknown = metadata["id_token_signing_alg_values_supported"]
  if (type !== "oidc" || expected === undefined || !Array.isArray(supported)) return undefined
  if (supported.includes(expected)) return undefined
  return createErrorFinding(
    "discovery-algorithm",
    `${id}: the configuration expects ID tokens signed with ${expected}, but the provider signs with ${supported.join(", ")}.`,
    "Remove `client.id_token_signed_response_alg`, or set it to the algorithm of the provider.",
  )
}

/** The tolerance of the library without `clockTolerance`, in seconds. */
const defaultClockTolerance = 30

/** Compares the clocks: ID tokens from the future, and expired ones, are refused. */
function compareClocks(
  id: string,
  { clockTolerance = defaultClockTolerance }: ProviderInfo["options"],
  date: string | null,
): Finding | undefined {
  const seconds = Math.round((Date.parse(date ?? "") - Date.now()) / 1000)
  if (Number.isNaN(seconds) || Math.abs(seconds) <= Number(clockTolerance)) return undefined
  return createErrorFinding(
    "clock-differs",
    `${id}: the clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead of"} that of the provider.`,
    "Set the clock, for example with NTP: the library refuses ID tokens that are from the future or have expired. If the " +
      "provider's clock is wrong, `clockTolerance` of the provider tolerates up to 300 s.",
  )
}
