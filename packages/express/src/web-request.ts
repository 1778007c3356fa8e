/** From a request of Express to a `Request`. */
import type { ServerResponse } from "node:http"
import type { ExpressRequest } from "./express-types.ts"
import { getRequestBody } from "./request-body.ts"

/** Describe bodies as they were sent, not as they are handed on. */
const bodyHeaders = ["content-encoding", "content-length", "transfer-encoding"]

/** The request in web terms. Its signal aborts when the client goes away before the answer. */
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

/** Headers as they were sent: Node.js drops some that are repeated. */
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
