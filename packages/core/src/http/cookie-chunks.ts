/** Values that may be too long for one cookie, and are then split into numbered cookies. */
import type { CookieOptions } from "../types.ts"
import type { CookieDefinition, CookieJar, RequestCookies } from "./cookies.ts"

/** Characters of the value in one cookie: 4096 less 160 for the name and the attributes. */
const chunkSize = 3936
/** More than browsers and servers carry. Longer values are refused. */
const maxChunks = 32

/** Returns the name of the cookie that a chunk (`name.0`, `name.1`) is part of, and other names as they are. */
export function removeChunkSuffix(name: string): string {
  return name.replace(/\.(?:0|[1-9]\d{0,3})$/, "")
}

/**
 * Lists what a value may be, likeliest first: one cookie, or `<name>.0`, `<name>.1` and so on together. Leftovers and
 * chunks that a sub-domain set can follow the real ones, so fewer chunks are listed, too: only decoding tells.
 */
export function listChunkedValues(cookies: RequestCookies, name: string): readonly string[] {
  const whole = [cookies.get(name) ?? []].flat()
  const names = cookies.namesWithPrefix(`${name}.`)
  const chunks: string[] = []
  for (let i = 0; i < maxChunks; i += 1) {
    const chunkName = `${name}.${i}`
    const chunk = cookies.get(chunkName)
    if (chunk === undefined) break
    if (names.indexOf(chunkName) < names.lastIndexOf(chunkName)) return whole
    chunks.push(chunk)
  }
  return [
    ...whole,
    ...chunks.map((_, surplus) => chunks.slice(0, chunks.length - surplus).join("")),
  ]
}

/** Whether a value occurs more than once, so that a sub-domain may have set the one that is read. */
export function isCookieRepeated(cookies: RequestCookies, name: string): boolean {
  const parts = cookies.namesWithPrefix(name).filter((each) => removeChunkSuffix(each) === name)
  const isWholeAndChunked = parts.includes(name) && parts.includes(`${name}.0`)
  return isWholeAndChunked || new Set(parts).size < parts.length
}

/**
 * Writes a value, and deletes the cookies of an older value that the browser still has.
 *
 * @throws TypeError when the value is longer than browsers can carry
 */
export function writeChunkedCookie(
  jar: CookieJar,
  cookies: RequestCookies,
  cookie: CookieDefinition,
  value: string,
  attributes: CookieOptions,
): void {
  const encode = attributes.encode ?? cookie.options.encode ?? encodeURIComponent
  const chunks = splitIntoChunks(value, encode, Math.min(chunkSize, 4090 - cookie.name.length))
  if (chunks.length > maxChunks) {
    throw new TypeError(
      `The session does not fit into ${maxChunks} cookies: store less in it, or use a database`,
    )
  }
  deleteChunkedCookie(jar, cookies, cookie)
  for (const [i, chunk] of chunks.entries()) {
    const name = chunks.length === 1 ? cookie.name : `${cookie.name}.${i}`
    jar.set({ ...cookie, name }, chunk, attributes)
  }
}

/** Splits a value into parts that have at most `size` characters once encoded. */
function splitIntoChunks(value: string, encode: (value: string) => string, size: number): string[] {
  if (size > 0 && encode(value).length === value.length)
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

/** Deletes a value, together with the cookies that were about to be set for it. */
export function deleteChunkedCookie(
  jar: CookieJar,
  cookies: RequestCookies,
  cookie: CookieDefinition,
): void {
  const setNames = jar.list.map(({ name }) => name)
  for (const name of [...cookies.namesWithPrefix(""), ...setNames])
    if (isPartOf(name, cookie)) jar.delete({ ...cookie, name })
}

/** Keeps what {@link writeChunkedCookie} set on error responses: see {@link CookieJar.keepOnError}. */
export function keepChunkedCookieOnError(jar: CookieJar, cookie: CookieDefinition): void {
  for (const { name } of jar.list) if (isPartOf(name, cookie)) jar.keepOnError(name)
}

function isPartOf(part: string, { name, formerName }: CookieDefinition): boolean {
  return [part, removeChunkSuffix(part)].some((each) => each === name || each === formerName)
}
