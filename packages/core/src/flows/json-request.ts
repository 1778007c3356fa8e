/** A request for application code to look into. */
import type { ActionRequest } from "../http/action-request.ts"

/** The request with its body as JSON, since the original one has been read. */
export function createJsonRequest(
  { url, headers }: Pick<ActionRequest, "url" | "headers">,
  body: Readonly<Record<string, unknown>>,
): Request {
  const jsonHeaders = new Headers(headers)
  jsonHeaders.delete("content-length")
  jsonHeaders.set("content-type", "application/json")
  return new Request(url, { method: "POST", headers: jsonHeaders, body: JSON.stringify(body) })
}
