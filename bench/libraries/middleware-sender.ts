/** Calls middleware in process, with Node's own request and response objects. */
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { RequestHandler } from "express"
import {
  createHeaders,
  encodeBody,
  type HttpRequest,
  type HttpResponse,
  type SendRequest,
} from "../http.ts"

/** Sends requests to a handler that ends the response. */
export function createMiddlewareSender(origin: string, handle: RequestHandler): SendRequest {
  const socket = new Socket()
  return (httpRequest) =>
    new Promise((resolve, reject) => {
      const request = createRequest(httpRequest, origin, socket)
      const response = new CapturedResponse(request, resolve)
      // The middleware uses only Node's own request and response.
      const [req, res] = [request, response] as unknown as Parameters<RequestHandler>
      void handle(req, res, (error) =>
        reject(error ?? new TypeError(`Nobody answers ${httpRequest.path}`)),
      )
    })
}

function createRequest(httpRequest: HttpRequest, origin: string, socket: Socket): IncomingMessage {
  const request = new IncomingMessage(socket)
  request.method = httpRequest.method
  request.url = httpRequest.path
  request.headers = { host: new URL(origin).host, ...createHeaders(httpRequest, origin) }
  const body = encodeBody(httpRequest)
  if (body !== undefined) {
    request.headers["content-length"] = String(Buffer.byteLength(body))
    request.push(body)
  }
  request.push(null)
  // Otherwise the end of the request would look like a disconnected client.
  request.complete = true
  return request
}

/** Collects the response. */
class CapturedResponse extends ServerResponse implements HttpResponse {
  body = ""
  readonly #ended: (reply: HttpResponse) => void

  constructor(request: IncomingMessage, onEnd: (reply: HttpResponse) => void) {
    super(request)
    this.#ended = onEnd
  }

  get status(): number {
    return this.statusCode
  }

  get location(): string | undefined {
    const location = this.getHeader("location")
    return location === undefined ? undefined : String(location)
  }

  get setCookies(): readonly string[] {
    return [this.getHeader("set-cookie") ?? []].flat().map(String)
  }

  // express-session sends everything but the end before it has stored the session.
  override write(...[chunk]: unknown[]): boolean {
    this.#take(chunk)
    return true
  }

  override end(...[chunk]: unknown[]): this {
    // express-session sets its cookie when the head is written.
    if (!this.headersSent) this.writeHead(this.statusCode)
    this.#take(chunk)
    this.#ended(this)
    return this
  }

  #take(chunk: unknown): void {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.body += String(chunk)
  }
}
