/** Middlewares called in process: Node's own request and response, without a network between. */
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

/** Sends to a handler that ends in an answer. */
export function createMiddlewareSender(origin: string, handle: RequestHandler): SendRequest {
  const socket = new Socket()
  return (httpRequest) =>
    new Promise((resolve, reject) => {
      const request = createRequest(httpRequest, origin, socket)
      const response = new CapturedResponse(request, resolve)
      // None of the middlewares asks for more than Node's own request and response have.
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
  // Else its end would count as the client's departure.
  request.complete = true
  return request
}

/** Keeps what it is told to send. */
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

  // express-session sends all but the end before it has stored the session.
  override write(...[chunk]: unknown[]): boolean {
    this.#take(chunk)
    return true
  }

  override end(...[chunk]: unknown[]): this {
    // Writing the head is when express-session sets its cookie.
    if (!this.headersSent) this.writeHead(this.statusCode)
    this.#take(chunk)
    this.#ended(this)
    return this
  }

  #take(chunk: unknown): void {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.body += String(chunk)
  }
}
