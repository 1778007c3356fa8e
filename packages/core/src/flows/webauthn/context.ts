/** What the functions of an application are told of a request. */
import type { Exchange } from "../../http/exchange.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved.ts"
import type { WebAuthnContext } from "../../providers/webauthn-types.ts"

/** What the library itself reads: not a field of the form. */
const own: ReadonlySet<string> = new Set(["action", "callbackUrl", "csrfToken", "data", "link"])

/** Longest field that is read, in characters. */
const longestField = 512

/** The fields of the form, of the query when options are asked for. */
export function fieldsOf({ method, query, body }: Exchange): Readonly<Record<string, string>> {
  const sent = method === "GET" ? [...query] : Object.entries(body)
  const fields = sent.filter(
    (entry): entry is [string, string] =>
      !own.has(entry[0]) && typeof entry[1] === "string" && entry[1].length <= longestField,
  )
  return Object.fromEntries(fields.filter(([name, value]) => name !== "__proto__" && value !== ""))
}

export function contextOf(
  exchange: Exchange,
  { definition }: ResolvedWebAuthnProvider,
): WebAuthnContext {
  return { url: exchange.url, provider: definition, fields: fieldsOf(exchange) }
}

/** The request without its body, which has been read. */
export function plainRequest({ url, headers }: Exchange): Request {
  return new Request(url, { headers })
}
