/** The body of a request, even if a body parser has read it. */
import { finished } from "node:stream"
import type { ExpressRequest } from "./express-types.ts"

/**
 * Returns the body as it was sent, or restores it from the result of a parser; undefined if neither is possible.
 *
 * Only the stream says whether the body has been read: in Express 4, `body` is `{}` either way.
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
 * Reads on demand. After a cancellation, it discards the rest of the body: Node.js does so only for bodies that nobody
 * started to read, and the connection would hang.
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

/** Encodes a chunk, which is text if the application called `setEncoding`. */
function toBytes(chunk: Uint8Array | string, { readableEncoding }: ExpressRequest): Uint8Array {
  return typeof chunk === "string" ? Buffer.from(chunk, readableEncoding ?? "utf8") : chunk
}

/** Builds a form from parsed fields: lists are repeated names, objects are `name[key]`. */
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
