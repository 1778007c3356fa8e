/** Asks identity providers for their metadata, as a first sign-in would. */
import { customFetch } from "@latchkey/core"
import { inTime } from "./deadline.ts"
import { described, doubtful, type Finding, good, skipped, wrong } from "./finding.ts"
import { type ProviderFacts, providersOf, type Subject } from "./subject.ts"

export async function* discoveryFindings(subject: Subject): AsyncGenerator<Finding> {
  const providers = providersOf(subject).filter(({ facts }) => metadataUrl(facts) !== undefined)
  if (providers.length === 0) return
  if (!subject.online) {
    const names = providers.map(({ id }) => id).join(", ")
    yield skipped("discovery", `Metadata of ${names} was not asked for.`, "Add --online.")
    return
  }
  for (const provider of providers) yield await examine(provider)
}

function metadataUrl(facts: ProviderFacts["facts"]): string | undefined {
  const { wellKnown, issuer } = facts
  if (typeof wellKnown === "string" && URL.canParse(wellKnown)) return wellKnown
  if (typeof issuer !== "string" || !URL.canParse(issuer)) return undefined
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
}

async function examine({ id, facts }: ProviderFacts): Promise<Finding> {
  const url = metadataUrl(facts) ?? ""
  const own = (facts as { [customFetch]?: typeof fetch })[customFetch]
  const ask = own ?? fetch
  try {
    const answer = await inTime(
      ask(url, { redirect: "manual", headers: { accept: "application/json" } }),
    )
    if (answer.status === 200) return verdict(id, facts, url, await inTime(answer.json()))
    return wrong(
      "discovery-missing",
      `${id}: ${url} answers ${answer.status} instead of metadata.`,
      "Compare `issuer` with the provider's documentation, letter by letter: realm, tenant and path belong to it.",
    )
  } catch (error) {
    const unreadable = error instanceof SyntaxError
    return wrong(
      unreadable ? "discovery-unreadable" : "discovery-unreachable",
      `${id}: ${url} ${unreadable ? "answers no JSON" : `cannot be reached: ${described(error)}`}`,
      unreadable
        ? "A proxy or a login page may stand before it: open the URL in a browser."
        : "Check the host name of `issuer`, and whether this machine may reach it.",
    )
  }
}

const endpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const

function verdict(
  id: string,
  facts: ProviderFacts["facts"],
  url: string,
  document: unknown,
): Finding {
  const metadata: Record<string, unknown> = { ...Object(document) }
  const { issuer } = facts
  if (typeof issuer === "string" && metadata["issuer"] !== issuer) {
    return wrong(
      "discovery-issuer",
      `${id}: the configuration says the issuer is ${issuer}, its metadata says ${String(metadata["issuer"])}.`,
      "Use the metadata's spelling: a slash at the end counts (OpenID Connect Discovery 4.3).",
    )
  }
  const missing = endpoints.filter((name) => typeof metadata[name] !== "string")
  if (missing.length > 0) {
    return wrong(
      "discovery-incomplete",
      `${id}: ${url} names no ${missing.join(", ")}.`,
      "Give the endpoints in the provider's configuration.",
    )
  }
  const methods: unknown = metadata["code_challenge_methods_supported"]
  if (Array.isArray(methods) && !methods.includes("S256")) {
    return doubtful(
      "discovery-no-pkce",
      `${id} does not know PKCE with S256; a nonce takes its place.`,
      "Nothing, or a newer version of the provider.",
    )
  }
  return good("discovery", `${id}: ${url} agrees with the configuration`)
}
