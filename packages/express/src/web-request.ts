/** From a request of Express to a `Request`. */
import type { ServerResponse } from "node:http"
import { bodyOf } from "./body.ts"
import type { ExpressRequest } from "./express.ts"

/** Describe bodies as they were sent, not as they are handed on. */
const wireHeaders = ["content-encoding", "content-length", "transfer-encoding"]

/** The request in web terms. Its signal aborts when the client goes away before the answer. */
export function requestOf(req: ExpressRequest, res: ServerResponse, url: URL): Request {
  const { method = "GET" } = req
  const headers = headersOf(req)
  const signal = departureOf(res)
  if (method !== "POST") return new Request(url, { method, headers, signal })
  const body = bodyOf(req) ?? null
  if (!(body instanceof ReadableStream)) for (const name of wireHeaders) headers.delete(name)
  const init = { method, headers, signal, body, duplex: "half" }
  return new Request(url, init)
}

/** Headers as they were sent: Node.js drops some that are repeated. */
export function headersOf({ rawHeaders }: Pick<ExpressRequest, "rawHeaders">): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "")
  }
  return headers
}

function departureOf(res: ServerResponse): AbortSignal {
  const departure = new AbortController()
  if (res.destroyed) departure.abort()
  res.once("close", () => {
    if (!res.writableFinished) departure.abort()
  })
  return departure.signal
}
