/** The body of a request, whether or not a body parser was faster. */
import { finished } from "node:stream"
import type { ExpressRequest } from "./express-types.ts"

/**
 * The body as it was sent, or as near to that as a parser left it; undefined when nothing is left.
 *
 * `body` cannot tell whether it was read (Express 4 says `{}` either way), the stream can.
 */
export function getRequestBody(
  req: ExpressRequest,
): ReadableStream<Uint8Array> | BodyInit | undefined {
  if (req.readable) return createBodyStream(req)
  const { body } = req
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (body === undefined) return undefined
  const type = (req.headers["content-type"] ?? "").toLowerCase()
  if (type.includes("application/json")) return JSON.stringify(body)
  return type.includes("application/x-www-form-urlencoded")
    ? toFormParams(body).toString()
    : undefined
}

/**
 * Reads on demand. When the reader stops early, the rest is thrown away as it comes: Node.js does so only with
 * bodies that nobody began to read, and the connection would be stuck.
 */
function createBodyStream(req: ExpressRequest): ReadableStream<Uint8Array> {
  let removeListeners = (): void => {}
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const onData = (chunk: Uint8Array | string): void => {
        req.pause()
        controller.enqueue(toBytes(chunk, req))
      }
      const stopWatching = finished(req, { writable: false }, (error) => {
        if (error) controller.error(error)
        else controller.close()
      })
      removeListeners = () => {
        stopWatching()
        req.off("data", onData)
      }
      req.pause().on("data", onData)
    },
    pull: () => void req.resume(),
    cancel() {
      removeListeners()
      req.resume()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** A chunk is text where somebody called `setEncoding`. */
function toBytes(chunk: Uint8Array | string, { readableEncoding }: ExpressRequest): Uint8Array {
  return typeof chunk === "string" ? Buffer.from(chunk, readableEncoding ?? "utf8") : chunk
}

/** A form from its fields, where lists stand for repeated names and objects for `name[key]`. */
function toFormParams(fields: unknown): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields ?? {})) appendField(form, name, value)
  return form
}

function appendField(form: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) appendField(form, name, item)
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) appendField(form, `${name}[${key}]`, item)
  } else {
    form.append(name, String(value ?? ""))
  }
}
