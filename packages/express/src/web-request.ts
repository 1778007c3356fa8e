/** Converts a request of Express to a `Request`. */
import type { ServerResponse } from "node:http"
import type { ExpressRequest } from "./express-types.ts"
import { getRequestBody } from "./request-body.ts"

/** These describe the body as it was sent, not as it is passed on. */
const bodyHeaders = ["content-encoding", "content-length", "transfer-encoding"]

/** Creates a `Request` whose signal aborts when the client disconnects before the response. */
export function createWebRequest(req: ExpressRequest, res: ServerResponse, url: URL): Request {
  const { method = "GET" } = req
  const headers = toHeaders(req)
  const signal = createCloseSignal(res)
  if (method !== "POST") return new Request(url, { method, headers, signal })
  const body = getRequestBody(req) ?? null
  if (!(body instanceof ReadableStream)) for (const name of bodyHeaders) headers.delete(name)
  const init = { method, headers, signal, body, duplex: "half" }
  return new Request(url, init)
}

/** Converts headers as they were sent. Node's own object drops some repeated headers. */
export function toHeaders({ rawHeaders }: Pick<ExpressRequest, "rawHeaders">): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "")
  }
  return headers
}

function createCloseSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (res.destroyed) controller.abort()
  res.once("close", () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
