/** An Express request that becomes a web `Request` only when the engine needs one. */
import type { ServerResponse } from "node:http"
import { InvalidRequest } from "@latchkey/core/errors"
import type { HeaderReader, IncomingRequest } from "@latchkey/core/integration"
import type { ExpressRequest } from "./express-types.ts"
import { createWebRequest } from "./web-request.ts"

/**
 * Wraps a request. Most requests need no web objects, and creating them would take longer than the rest of the work.
 *
 * @throws InvalidRequest 400 for a method that a `Request` cannot have
 */
export function createIncomingRequest(
  req: ExpressRequest,
  res: ServerResponse,
  url: URL,
): IncomingRequest {
  // Forbidden by Fetch section 2.2.1, like CONNECT, which Express does not route.
  if (req.method === "TRACE") throw new InvalidRequest(400, { expected: "a GET or POST request" })
  let request: Request | undefined
  return {
    method: req.method ?? "GET",
    headers: createHeaderReader(req.rawHeaders),
    clientAddress: req.ip,
    get request() {
      request ??= createWebRequest(req, res, url)
      return request
    },
  }
}

/** Reads headers as `Headers` does. Node's own object drops some repeated headers. */
function createHeaderReader(rawHeaders: readonly string[]): HeaderReader {
  const getValues = (name: string): string[] => {
    const lowerCaseName = name.toLowerCase()
    const values: string[] = []
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.toLowerCase() === lowerCaseName) values.push(rawHeaders[at + 1] ?? "")
    }
    return values
  }
  return {
    get(name) {
      const values = getValues(name)
      if (values.length === 0) return null
      return values.join(name.toLowerCase() === "cookie" ? "; " : ", ")
    },
  }
}
