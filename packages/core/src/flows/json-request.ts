import type { ActionRequest } from "../http/action-request.ts"
import { toHeadersInit } from "../http/incoming-request.ts"

/** These describe the body as it was sent, not the new one. */
const bodyHeaders = ["content-encoding", "content-length", "transfer-encoding"]

/** Creates a request for application code with its body as JSON, because the original body has been read. */
export function createJsonRequest(
  { url, headers }: Pick<ActionRequest, "url" | "headers">,
  body: Readonly<Record<string, unknown>>,
): Request {
  const init = { method: "POST", headers: toHeadersInit(headers), body: JSON.stringify(body) }
  const request = new Request(url, init)
  for (const name of bodyHeaders) request.headers.delete(name)
  request.headers.set("content-type", "application/json")
  return request
}
