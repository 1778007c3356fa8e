/** What the functions of an application are told of a request. */
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { WebAuthnContext } from "../../providers/webauthn-types.ts"

/** What the library itself reads: not a field of the form. */
const reservedFields: ReadonlySet<string> = new Set([
  "action",
  "callbackUrl",
  "csrfToken",
  "data",
  "link",
])

/** Longest field that is read, in characters. */
const maxFieldLength = 512

/** The fields of the form, of the query when options are asked for. */
export function readFormFields({
  method,
  query,
  body,
}: ActionRequest): Readonly<Record<string, string>> {
  const entries = method === "GET" ? [...query] : Object.entries(body)
  const fields = entries.filter(
    (entry): entry is [string, string] =>
      !reservedFields.has(entry[0]) &&
      typeof entry[1] === "string" &&
      entry[1].length <= maxFieldLength,
  )
  return Object.fromEntries(fields.filter(([name, value]) => name !== "__proto__" && value !== ""))
}

export function createWebAuthnContext(
  request: ActionRequest,
  { definition }: ResolvedWebAuthnProvider,
): WebAuthnContext {
  return { url: request.url, provider: definition, fields: readFormFields(request) }
}

/** The request without its body, which has been read. */
export function createBodilessRequest({ url, headers }: ActionRequest): Request {
  return new Request(url, { headers })
}
