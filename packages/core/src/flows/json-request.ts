import type { ActionRequest } from "../http/action-request.ts"

/** Creates a request for application code with its body as JSON, because the original body has been read. */
export function createJsonRequest(
  { url, headers }: Pick<ActionRequest, "url" | "headers">,
  body: Readonly<Record<string, unknown>>,
): Request {
  const request = new Request(url, { method: "POST", headers, body: JSON.stringify(body) })
  request.headers.delete("content-length")
  request.headers.set("content-type", "application/json")
  return request
}
