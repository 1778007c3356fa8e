/** An Express request as the engine reads it, without web objects, which take longer to create than the rest. */
import type { ServerResponse } from "node:http"
import type { IncomingRequest } from "@latchkey/core/integration"
import type { ExpressRequest } from "./express-types.ts"
import { getRequestBody } from "./request-body.ts"
import { RawHeaders } from "./request-headers.ts"

export class IncomingExpressRequest implements IncomingRequest {
  readonly method: string
  readonly headers: RawHeaders
  readonly clientAddress: string | undefined
  readonly #req: ExpressRequest
  readonly #res: ServerResponse

  constructor(req: ExpressRequest, res: ServerResponse) {
    this.method = req.method ?? "GET"
    this.headers = new RawHeaders(req.rawHeaders)
    // Read now, because a closed connection has no address, and nobody may escape a limit by closing it.
    this.clientAddress = req.ip
    this.#req = req
    this.#res = res
  }

  get body(): IncomingRequest["body"] {
    return getRequestBody(this.#req)
  }

  get signal(): AbortSignal {
    return createCloseSignal(this.#res)
  }
}

function createCloseSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (res.destroyed) controller.abort()
  res.once("close", () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
