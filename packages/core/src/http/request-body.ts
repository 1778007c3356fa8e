/** Reads the bodies that forms and scripts send, up to a limit. */
import { InvalidRequest } from "../errors.ts"
import { parseJsonObject } from "../objects.ts"
import { readStream } from "./read-stream.ts"

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

/**
 * Reads the body of a POST request. Content types other than forms and JSON count as no body.
 *
 * @throws InvalidRequest 413 for more than 64 KiB, and 400 for a malformed multipart form or for JSON that is malformed,
 *   nested too deeply or not an object
 */
export async function readBody(request: Request): Promise<ParsedBody> {
  const contentType = request.headers.get("content-type") ?? ""
  const type = request.body === null ? "" : contentType.toLowerCase()
  if (type.includes("application/json"))
    return { body: parseJson(await readText(request)), form: new URLSearchParams() }
  if (type.includes("application/x-www-form-urlencoded"))
    return toParsedBody(new URLSearchParams(await readText(request)))
  // The boundary is case-sensitive (RFC 2046 section 5.1.1).
  if (type.startsWith("multipart/form-data"))
    return toParsedBody(await parseMultipart(await readBytes(request), contentType))
  return toParsedBody(new URLSearchParams())
}

/** Collects the fields of a form. The last one of each name wins. */
function toParsedBody(form: URLSearchParams): ParsedBody {
  const body: Record<string, string> = {}
  for (const [name, value] of form) if (isSafeName(name)) body[name] = value
  return { body, form }
}

/** Leaves out `__proto__`, so that code that copies the fields cannot change a prototype. */
function isSafeName(name: string): boolean {
  return name !== "__proto__"
}

function readBytes({ body, bodyUsed, headers }: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (!body || bodyUsed || body.locked) {
    throw new InvalidRequest(400, {
      expected: "a request whose body has not been read",
      hint: "Code that ran before the library consumed the body: pass the original request.",
    })
  }
  const createTooLargeError = () =>
    new InvalidRequest(413, { expected: `a body of at most ${maxBodySize} bytes` })
  if (Number(headers.get("content-length") ?? 0) > maxBodySize) throw createTooLargeError()
  return readStream(body, maxBodySize, createTooLargeError)
}

async function readText(request: Request): Promise<string> {
  return decoder.decode(await readBytes(request))
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
