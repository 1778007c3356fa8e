/** A request of Express as the library takes it: in web terms only where somebody asks. */
import type { ServerResponse } from "node:http"
import { InvalidRequest } from "@latchkey/core/errors"
import type { HeaderReader, IncomingRequest } from "@latchkey/core/integration"
import type { ExpressRequest } from "./express-types.ts"
import { createWebRequest } from "./web-request.ts"

/**
 * The request, which becomes a `Request` when its body, its signal or one of its rarer headers is asked for.
 *
 * @throws InvalidRequest 400 for a method that a `Request` cannot have
 */
export function createIncomingRequest(
  req: ExpressRequest,
  res: ServerResponse,
  url: URL,
): IncomingRequest {
  // Fetch section 2.2.1: forbidden, along with CONNECT, which never gets here.
  if (req.method === "TRACE") throw new InvalidRequest(400, { expected: "a GET or POST request" })
  return new ExpressIncomingRequest(req, res, url)
}

class ExpressIncomingRequest implements IncomingRequest {
  readonly method: string
  readonly headers: HeaderReader
  readonly #make: () => Request
  #request: Request | undefined

  constructor(req: ExpressRequest, res: ServerResponse, url: URL) {
    this.method = req.method ?? "GET"
    this.headers = createHeaderLookup(req.rawHeaders)
    this.#make = () => createWebRequest(req, res, url)
  }

  get request(): Request {
    this.#request ??= this.#make()
    return this.#request
  }
}

/** Looks headers up as `Headers` does, in the list as they were sent: Node.js drops some that are repeated. */
function createHeaderLookup(rawHeaders: readonly string[]): HeaderReader {
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
    has: (name) => getValues(name).length > 0,
  }
}
