/** The body of a request, even if a body parser has read it. */
import { finished } from "node:stream"
import { InvalidRequest } from "@latchkey/core/errors"
import type { IncomingRequest, UnreadBody } from "@latchkey/core/integration"
import type { ExpressRequest } from "./express-types.ts"

/**
 * Returns the body as it was sent, or restores it from the result of a parser; undefined if neither is possible.
 *
 * Only the stream says whether the body has been read: in Express 4, `body` is `{}` either way.
 */
export function getRequestBody(req: ExpressRequest): IncomingRequest["body"] {
  if (req.readable) return { read: (...limit) => readStream(req, ...limit) }
  const { body } = req
  if (ArrayBuffer.isView(body)) return new Uint8Array(body as Uint8Array)
  if (body === undefined) return assertNoBody(req)
  const text =
    typeof body === "string"
      ? body
      : restoreBody(body, (req.headers["content-type"] ?? "").toLowerCase())
  return text === undefined ? undefined : Buffer.from(text)
}

/** @throws InvalidRequest 400 when the client sent a body, of which nothing is left */
function assertNoBody({ headers }: ExpressRequest): undefined {
  const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"]
  if (!hasBody) return undefined
  throw new InvalidRequest(400, {
    expected: "a body that nothing has read before the library",
    hint: "Mount `MiddlewareAuth` before the middleware that reads it, or let that one set `req.body`.",
  })
}

/** @throws InvalidRequest 413 for a form that is too long, and 400 for fields with too many levels */
function restoreBody(body: unknown, type: string): string | undefined {
  try {
    if (type.includes("application/json")) return JSON.stringify(body)
    const isForm = type.includes("application/x-www-form-urlencoded")
    return isForm ? toFormParams(body).toString() : undefined
  } catch (cause) {
    // Parsers accept more levels than the stack has room for.
    if (Object(cause).name !== "RangeError") throw cause
    throw new InvalidRequest(400, { expected: "fields with fewer levels", cause })
  }
}

/**
 * Reads a body from Node's stream. The rest of a body that is too long is discarded: Node.js does so only for bodies
 * that nobody started to read, and the connection would hang.
 */
function readStream(
  req: ExpressRequest,
  ...[maxSize, createTooLargeError]: Parameters<UnreadBody["read"]>
): ReturnType<UnreadBody["read"]> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const onData = (chunk: Uint8Array | string): void => {
      const bytes = toBytes(chunk, req)
      chunks.push(bytes)
      size += bytes.byteLength
      if (size <= maxSize) return
      stopWatching()
      req.off("data", onData).resume()
      reject(createTooLargeError())
    }
    const stopWatching = finished(req, { writable: false }, (error) => {
      if (error) reject(error)
      else resolve(Buffer.concat(chunks))
    })
    req.on("data", onData).resume()
  })
}

/** Encodes a chunk, which is text if the application called `setEncoding`. */
function toBytes(chunk: Uint8Array | string, { readableEncoding }: ExpressRequest): Uint8Array {
  return typeof chunk === "string" ? Buffer.from(chunk, readableEncoding ?? "utf8") : chunk
}

/** In characters. The engine refuses longer bodies. */
const maxFormLength = 65_536

/**
 * Builds a form from parsed fields: lists are repeated names, objects are `name[key]`.
 *
 * @throws InvalidRequest 413 when it is too long. A parser of JSON may accept forms, too, and a short JSON text with
 *   long names or many levels becomes a form of any length.
 */
function toFormParams(fields: unknown): URLSearchParams {
  const form = new URLSearchParams()
  let length = 0
  const append = (name: string, value: unknown): void => {
    length += name.length
    if (length > maxFormLength)
      throw new InvalidRequest(413, { expected: `a form of at most ${maxFormLength} characters` })
    if (Array.isArray(value)) {
      for (const item of value) append(name, item)
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) append(`${name}[${key}]`, item)
    } else {
      form.append(name, String(value ?? ""))
    }
  }
  for (const [name, value] of Object.entries(fields ?? {})) append(name, value)
  return form
}
