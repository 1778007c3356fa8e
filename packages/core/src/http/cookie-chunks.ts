/** Values that may be too long for one cookie, and are then split into numbered cookies. */
import type { CookieOptions } from "../types.ts"
import type { CookieDefinition, CookieJar, RequestCookies } from "./cookies.ts"

/** The maximum number of chunks that are read. Auth.js may have written more than fit now. */
const maxChunks = 32
/** Characters of the value in one cookie: 4096 less 160 for the name and the attributes. */
const chunkSize = 3936
/** The maximum number of chunks that are written: 12 KB. Many servers refuse requests with more than 16 KB of headers. */
const maxWrittenChunks = 3

/** Returns the name of the cookie that a chunk (`name.0`, `name.1`) is part of, and other names as they are. */
export function removeChunkSuffix(name: string): string {
  return name.replace(/\.(?:0|[1-9]\d{0,3})$/, "")
}

/**
 * Lists what a value may be, likeliest first: one cookie, or `<name>.0`, `<name>.1` and so on together. Leftovers and
 * cookies that a sub-domain set can be among the real ones, so cookies of the same name and fewer chunks are listed,
 * too: only decoding tells.
 */
export function listChunkedValues(cookies: RequestCookies, name: string): readonly string[] {
  const whole = cookies.getAll(name)
  const names = cookies.namesWithPrefix(`${name}.`)
  const chunks: string[] = []
  for (let i = 0; i < Math.min(names.length, maxChunks); i += 1) {
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

/** Whether a chunk occurs twice, so that one of them is of somebody else. */
export function isChunkRepeated(
  cookies: RequestCookies,
  { name, formerNames = [] }: CookieDefinition,
): boolean {
  const names = [name, ...formerNames].flatMap((each) => [
    ...new Set(cookies.namesWithPrefix(`${each}.`)),
  ])
  return names.some((each) => cookies.getAll(each).length > 1)
}

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

/**
 * Deletes a value, together with the cookies that were about to be set for it.
 *
 * @param domains of cookies that are deleted, too; undefined for one without a domain
 */
export function deleteChunkedCookie(
  jar: CookieJar,
  cookies: RequestCookies,
  cookie: CookieDefinition,
  domains: readonly (string | undefined)[] = [],
): void {
  const names = [...cookies.namesWithPrefix(""), ...jar.list.map(({ name }) => name)]
  const ownNames = new Set(names.filter((name) => isPartOf(name, cookie)))
  for (const domain of domains)
    for (const name of ownNames) jar.deleteOther({ ...cookie, name }, domain)
  for (const name of ownNames) jar.delete({ ...cookie, name })
}

/** Whether a cookie has a value, or a chunk of it. */
function isPartOf(part: string, { name, formerNames = [] }: CookieDefinition): boolean {
  return [part, removeChunkSuffix(part)].some((each) => each === name || formerNames.includes(each))
}
