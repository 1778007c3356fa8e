/** Reading a body: bounded, and of the two kinds that forms and scripts send. */
import { InvalidRequest } from "../errors.ts"
import type { Body } from "./exchange.ts"

/** Largest body in bytes. */
const limit = 65_536
/** Deepest nesting of JSON. */
const deepest = 32

/** A body and, for a form, its fields as they were sent. */
export interface ParsedBody {
  readonly body: Body
  readonly form: URLSearchParams
}

/** What a request has that brings nothing: its own, since a form can be written to. */
export const noBody = (): ParsedBody => ({ body: {}, form: new URLSearchParams() })

/**
 * Reads the body of a POST request. Content types other than forms and JSON count as no body.
 *
 * @throws InvalidRequest 413 for more than 64 KiB, 400 for JSON that is broken, too deep or no object
 */
export async function readBody(request: Request): Promise<ParsedBody> {
  if (request.method !== "POST" || request.body === null) return noBody()
  const type = (request.headers.get("content-type") ?? "").toLowerCase()
  const isJson = type.includes("application/json")
  if (!isJson && !type.includes("application/x-www-form-urlencoded")) return noBody()
  const text = await readText(request, request.body)
  if (isJson) return { body: parseJson(text), form: new URLSearchParams() }
  const form = new URLSearchParams(text)
  return { body: fieldsOf(form), form }
}

async function readText(request: Request, stream: ReadableStream<Uint8Array>): Promise<string> {
  if (request.bodyUsed || stream.locked) {
    throw new InvalidRequest(400, {
      expected: "a request whose body has not been read",
      hint: "Something before the library consumed the body: hand over the original request.",
    })
  }
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge()
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ""
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > limit) {
      await reader.cancel()
      throw tooLarge()
    }
    text += decoder.decode(value, { stream: true })
  }
}

function tooLarge(): InvalidRequest {
  return new InvalidRequest(413, { expected: `a body of at most ${limit} bytes` })
}

/** A form as a flat map: of fields with one name, the last one wins. */
function fieldsOf(form: URLSearchParams): Body {
  return Object.fromEntries([...form].filter(([name]) => name !== "__proto__"))
}

/** Undefined for what is no JSON: the parser's own message would repeat parts of it, passwords included. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseJson(text: string): Body {
  const value = parsed(text)
  if (value === undefined) {
    throw new InvalidRequest(400, { expected: "a body of well-formed JSON" })
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidRequest(400, { expected: "a JSON object as body" })
  }
  return cleaned(value, deepest) as Body // an object that is no array stays one
}

/** A copy without `__proto__`, so that no code that copies it further can change a prototype. */
function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) {
    throw new InvalidRequest(400, { expected: `JSON nested at most ${deepest} levels deep` })
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth - 1))
  const entries = Object.entries(value).filter(([name]) => name !== "__proto__")
  return Object.fromEntries(entries.map(([name, item]) => [name, cleaned(item, depth - 1)]))
}
