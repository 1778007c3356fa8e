import type { ActionRequest } from "../http/action-request.ts"

/** Creates a request for application code with its body as JSON, because the original body has been read. */
export function createJsonRequest(
  { url, headers }: Pick<ActionRequest, "url" | "headers">,
  body: Readonly<Record<string, unknown>>,
): Request {
  const jsonHeaders = new Headers(headers)
  jsonHeaders.delete("content-length")
  jsonHeaders.set("content-type", "application/json")
  return new Request(url, { method: "POST", headers: jsonHeaders, body: JSON.stringify(body) })
}
