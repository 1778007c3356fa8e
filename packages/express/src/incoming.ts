/** A request of Express as the library takes it: in web terms only where somebody asks. */
import type { ServerResponse } from "node:http"
import { InvalidRequest } from "@latchkey/core/errors"
import type { HeaderLookup, IncomingRequest } from "@latchkey/core/mounting"
import type { ExpressRequest } from "./express.ts"
import { requestOf } from "./web-request.ts"

/**
 * The request, which becomes a `Request` when its body, its signal or one of its rarer headers is asked for.
 *
 * @throws InvalidRequest 400 for a method that a `Request` cannot have
 */
export function incomingOf(req: ExpressRequest, res: ServerResponse, url: URL): IncomingRequest {
  // Fetch section 2.2.1: forbidden, along with CONNECT, which never gets here.
  if (req.method === "TRACE") throw new InvalidRequest(400, { expected: "a GET or POST request" })
  return new Incoming(req, res, url)
}

class Incoming implements IncomingRequest {
  readonly method: string
  readonly headers: HeaderLookup
  readonly #make: () => Request
  #request: Request | undefined

  constructor(req: ExpressRequest, res: ServerResponse, url: URL) {
    this.method = req.method ?? "GET"
    this.headers = lookupIn(req.rawHeaders)
    this.#make = () => requestOf(req, res, url)
  }

  get request(): Request {
    this.#request ??= this.#make()
    return this.#request
  }
}

/** Looks headers up as `Headers` does, in the list as they were sent: Node.js drops some that are repeated. */
function lookupIn(rawHeaders: readonly string[]): HeaderLookup {
  const valuesOf = (name: string): string[] => {
    const wanted = name.toLowerCase()
    const values: string[] = []
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.toLowerCase() === wanted) values.push(rawHeaders[at + 1] ?? "")
    }
    return values
  }
  return {
    get(name) {
      const values = valuesOf(name)
      if (values.length === 0) return null
      return values.join(name.toLowerCase() === "cookie" ? "; " : ", ")
    },
    has: (name) => valuesOf(name).length > 0,
  }
}
