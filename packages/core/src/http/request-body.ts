/** Reads the bodies that forms and scripts send, up to a limit. */
import { InvalidRequest } from "../errors.ts"
import { parseJsonObject } from "../objects.ts"
import type { Bytes } from "../runtime/bytes.ts"
import type { IncomingRequest } from "./incoming-request.ts"

/** In bytes. */
const maxBodySize = 65_536
const maxJsonDepth = 32

const decoder = new TextDecoder()

/** The fields of a body. Names and values are untrusted. */
export type RequestBody = Readonly<Record<string, unknown>>

/** A body and, for a form, its fields as they were sent. */
export interface ParsedBody {
  readonly body: RequestBody
  readonly form: URLSearchParams
}

type PresentBody = NonNullable<IncomingRequest["body"]>

/**
 * Reads the body of a POST request. Content types other than forms and JSON count as no body.
 *
 * @throws InvalidRequest 413 for more than 64 KiB, and 400 for a malformed multipart form or for JSON that is malformed,
 *   nested too deeply or not an object
 */
export async function readBody({
  headers,
  body,
}: Pick<IncomingRequest, "headers" | "body">): Promise<ParsedBody> {
  if (body === undefined) return toParsedBody(new URLSearchParams())
  const contentType = headers.get("content-type") ?? ""
  const announcedSize = Number(headers.get("content-length") ?? 0)
  const type = contentType.toLowerCase()
  if (type.includes("application/json")) {
    const text = await readText(body, announcedSize)
    return { body: parseJson(text), form: new URLSearchParams() }
  }
  if (type.includes("application/x-www-form-urlencoded"))
    return toParsedBody(new URLSearchParams(await readText(body, announcedSize)))
  // The boundary is case-sensitive (RFC 2046 section 5.1.1).
  if (type.startsWith("multipart/form-data"))
    return toParsedBody(await parseMultipart(await readBytes(body, announcedSize), contentType))
  return toParsedBody(new URLSearchParams())
}

/** Collects the fields of a form. The last one of each name wins. */
function toParsedBody(form: URLSearchParams): ParsedBody {
  const body: Record<string, string> = {}
  for (const [name, value] of form) if (isSafeName(name)) body[name] = value
  return { body, form }
}

/** Leaves out `__proto__`, so that code that copies the fields cannot change a prototype. */
const isSafeName = (name: string): boolean => name !== "__proto__"

/** @param announcedSize does not count for a body that has been read, because it may have been decompressed */
async function readBytes(body: PresentBody, announcedSize: number): Promise<Bytes> {
  const createTooLargeError = () =>
    new InvalidRequest(413, { expected: `a body of at most ${maxBodySize} bytes` })
  const size = "read" in body ? announcedSize : body.byteLength
  if (size > maxBodySize) throw createTooLargeError()
  return "read" in body ? body.read(maxBodySize, createTooLargeError) : body
}

async function readText(body: PresentBody, announcedSize: number): Promise<string> {
  return decoder.decode(await readBytes(body, announcedSize))
}

/** Parses the fields of a multipart form (RFC 7578) without its files. */
async function parseMultipart(body: BodyInit, type: string): Promise<URLSearchParams> {
  try {
    const fields = await new Response(body, { headers: { "content-type": type } }).formData()
    const texts = [...fields].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    )
    return new URLSearchParams(texts)
  } catch (cause) {
    throw new InvalidRequest(400, { expected: "a well-formed multipart/form-data body", cause })
  }
}

/** Leaves out the parser's error, whose message would repeat parts of the body, such as a password. */
function parseJson(text: string): RequestBody {
  const value = parseJsonObject(text)
  if (!value) throw new InvalidRequest(400, { expected: "a JSON object as body" })
  return sanitizeJson(value, maxJsonDepth) as RequestBody // the copy of an object is an object
}

/** Copies a value without `__proto__` keys. */
function sanitizeJson(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) {
    throw new InvalidRequest(400, { expected: `JSON nested at most ${maxJsonDepth} levels deep` })
  }
  if (Array.isArray(value)) return value.map((item) => sanitizeJson(item, depth - 1))
  const entries = Object.entries(value).filter(([name]) => isSafeName(name))
  return Object.fromEntries(entries.map(([name, item]) => [name, sanitizeJson(item, depth - 1)]))
}

/** Returns a text field of a body, and undefined for values of other types. */
export function readTextField(body: RequestBody, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === "string" ? value : undefined
}
