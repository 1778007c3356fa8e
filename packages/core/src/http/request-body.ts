/** Reading a body: bounded, and of the kinds that forms and scripts send. */
import { InvalidRequest } from "../errors.ts"
import type { RequestBody } from "./action-request.ts"

/** Largest body in bytes. */
const maxBodySize = 65_536
/** Deepest nesting of JSON. */
const maxJsonDepth = 32

/** A body and, for a form, its fields as they were sent. */
export interface ParsedBody {
  readonly body: RequestBody
  readonly form: URLSearchParams
}

/** What a request has that brings nothing: its own, since a form can be written to. */
const createEmptyBody = (): ParsedBody => ({ body: {}, form: new URLSearchParams() })

/**
 * Reads the body of a POST request. Content types other than forms and JSON count as no body.
 *
 * @throws InvalidRequest 413 for more than 64 KiB, 400 for JSON that is broken, too deep or no object, or for a
 * broken multipart form
 */
export async function readBody(request: Request): Promise<ParsedBody> {
  if (request.method !== "POST" || request.body === null) return createEmptyBody()
  const contentType = request.headers.get("content-type") ?? ""
  const type = contentType.toLowerCase()
  if (type.includes("application/json")) {
    return { body: parseJson(await readText(request, request.body)), form: new URLSearchParams() }
  }
  if (type.includes("application/x-www-form-urlencoded")) {
    return toParsedBody(new URLSearchParams(await readText(request, request.body)))
  }
  if (!type.startsWith("multipart/form-data")) return createEmptyBody()
  // The boundary is in the header as it was written: letter case counts (RFC 2046 section 5.1.1).
  return toParsedBody(await parseMultipart(await readBytes(request, request.body), contentType))
}

function toParsedBody(form: URLSearchParams): ParsedBody {
  return { body: toFieldMap(form), form }
}

async function readText(request: Request, stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  await readChunks(request, stream, (chunk) => {
    text += decoder.decode(chunk, { stream: true })
  })
  return text + decoder.decode()
}

async function readBytes(request: Request, stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  await readChunks(request, stream, (chunk) => chunks.push(new Uint8Array(chunk)))
  return new Blob(chunks)
}

async function readChunks(
  request: Request,
  stream: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  if (request.bodyUsed || stream.locked) {
    throw new InvalidRequest(400, {
      expected: "a request whose body has not been read",
      hint: "Something before the library consumed the body: hand over the original request.",
    })
  }
  if (Number(request.headers.get("content-length") ?? 0) > maxBodySize) throw createTooLargeError()
  const reader = stream.getReader()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    size += value.byteLength
    if (size > maxBodySize) {
      await reader.cancel()
      throw createTooLargeError()
    }
    onChunk(value)
  }
}

/** The fields of a multipart form (RFC 7578). Files are no fields: nothing here takes one. */
async function parseMultipart(body: Blob, type: string): Promise<URLSearchParams> {
  try {
    const fields = await new Response(body, { headers: { "content-type": type } }).formData()
    return new URLSearchParams([...fields].filter(isText))
  } catch (cause) {
    throw new InvalidRequest(400, { expected: "a well-formed multipart/form-data body", cause })
  }
}

function isText(field: [string, FormDataEntryValue]): field is [string, string] {
  return typeof field[1] === "string"
}

function createTooLargeError(): InvalidRequest {
  return new InvalidRequest(413, { expected: `a body of at most ${maxBodySize} bytes` })
}

/** A form as a flat map: of fields with one name, the last one wins. */
function toFieldMap(form: URLSearchParams): RequestBody {
  return Object.fromEntries([...form].filter(([name]) => name !== "__proto__"))
}

/** Undefined for what is no JSON: the parser's own message would repeat parts of it, passwords included. */
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseJson(text: string): RequestBody {
  const value = tryParseJson(text)
  if (value === undefined) {
    throw new InvalidRequest(400, { expected: "a body of well-formed JSON" })
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidRequest(400, { expected: "a JSON object as body" })
  }
  return sanitizeJson(value, maxJsonDepth) as RequestBody // an object that is no array stays one
}

/** A copy without `__proto__`, so that no code that copies it further can change a prototype. */
function sanitizeJson(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) {
    throw new InvalidRequest(400, { expected: `JSON nested at most ${maxJsonDepth} levels deep` })
  }
  if (Array.isArray(value)) return value.map((item) => sanitizeJson(item, depth - 1))
  const entries = Object.entries(value).filter(([name]) => name !== "__proto__")
  return Object.fromEntries(entries.map(([name, item]) => [name, sanitizeJson(item, depth - 1)]))
}
