/** Writes values that may be too long for one cookie. */
import type { CookieOptions } from "../types.ts"
import { deleteChunkedCookie, isPartOf } from "./cookie-chunks.ts"
import type { CookieDefinition, CookieJar, RequestCookies } from "./cookies.ts"

/** Characters of the value in one cookie: 4096 less 160 for the name and the attributes. */
const chunkSize = 3936
/** Chunks that are written: 12 KB. Many servers refuse requests with more than 16 KB of headers. */
const maxWrittenChunks = 3

/**
 * Writes a value, and deletes the cookies of an older value that the browser still has. Returns false, and changes
 * nothing, if the value is too long.
 */
export function writeChunkedCookie(
  jar: CookieJar,
  cookies: RequestCookies,
  cookie: CookieDefinition,
  value: string,
  attributes: CookieOptions,
): boolean {
  const encode = attributes.encode ?? cookie.options.encode ?? encodeURIComponent
  const chunks = splitIntoChunks(value, encode, Math.min(chunkSize, 4090 - cookie.name.length))
  if (chunks.length > maxWrittenChunks) return false
  deleteChunkedCookie(jar, cookies, cookie)
  for (const [i, chunk] of chunks.entries()) {
    const name = chunks.length === 1 ? cookie.name : `${cookie.name}.${i}`
    jar.set({ ...cookie, name }, chunk, attributes)
  }
  return true
}

/** Splits a value into parts that have at most `size` characters once encoded. */
function splitIntoChunks(value: string, encode: (value: string) => string, size: number): string[] {
  const { length } = encode(value)
  if (length <= size && value !== "") return [value]
  if (size > 0 && length === value.length)
    return value.match(new RegExp(`.{1,${size}}`, "gs")) ?? []
  const chunks: string[] = []
  let remainingSize = 0
  // Iterates over code points, because half a surrogate pair cannot be encoded.
  for (const character of value) {
    const width = encode(character).length
    if (width > remainingSize) {
      chunks.push("")
      remainingSize = size
    }
    chunks[chunks.length - 1] += character
    remainingSize -= width
  }
  return chunks
}

/** Keeps what {@link writeChunkedCookie} set on error responses: see {@link CookieJar.keepOnError}. */
export function keepChunkedCookieOnError(jar: CookieJar, cookie: CookieDefinition): void {
  for (const { name } of jar.list) if (isPartOf(name, cookie)) jar.keepOnError(name)
}
