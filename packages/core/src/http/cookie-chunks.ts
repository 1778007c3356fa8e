/** A value that may not fit into one cookie: in one, or in several numbered ones. */
import type { CookieOptions } from "../types.ts"
import type { CookieDefinition, CookieJar, RequestCookies } from "./cookies.ts"

/** Characters of value in one cookie: 4096 less 160 for name and attributes. */
const chunkSize = 3936
/** More than a browser or server carries; beyond it the set is refused. */
const maxChunks = 32

/** Reads a value from one cookie, or else from `<name>.0`, `<name>.1` … without a gap. */
export function readChunkedCookie(cookies: RequestCookies, name: string): string | undefined {
  const whole = cookies.get(name)
  if (whole !== undefined) return whole
  const count = findChunkNames(cookies, name).length
  if (count === 0 || count > maxChunks) return undefined
  let value = ""
  for (let i = 0; i < count; i++) {
    const chunk = cookies.get(`${name}.${i}`)
    // `count` also counts duplicates and strays, so any of them leaves a gap here.
    if (chunk === undefined) return undefined
    value += chunk
  }
  return value
}

/**
 * Writes a value, and deletes what the browser still has of an older one.
 *
 * @throws TypeError when the value is more than a browser carries
 */
export function writeChunkedCookie(
  jar: CookieJar,
  cookies: RequestCookies,
  cookie: CookieDefinition,
  value: string,
  attributes: CookieOptions,
): void {
  const encode = attributes.encode ?? cookie.options.encode ?? encodeURIComponent
  const chunks = [...splitIntoChunks(value, encode, Math.min(chunkSize, 4090 - cookie.name.length))]
  if (chunks.length > maxChunks) {
    throw new TypeError(
      `The session does not fit into ${maxChunks} cookies: keep less in it, or use a database`,
    )
  }
  deleteChunkedCookie(jar, cookies, cookie)
  for (const [i, chunk] of chunks.entries()) {
    const name = chunks.length === 1 ? cookie.name : `${cookie.name}.${i}`
    jar.set({ ...cookie, name }, chunk, attributes)
  }
}

/** Cuts a value into parts that have at most `size` characters when they are encoded. */
function* splitIntoChunks(
  value: string,
  encode: (value: string) => string,
  size: number,
): Generator<string> {
  if (size > 0 && encode(value).length === value.length) {
    for (let at = 0; at < value.length; at += size) yield value.slice(at, at + size)
    return
  }
  let chunk = ""
  let remainingSize = size
  // By code points: half a surrogate pair cannot be encoded.
  for (const character of value) {
    const width = encode(character).length
    if (width > remainingSize && chunk !== "") {
      yield chunk
      chunk = ""
      remainingSize = size
    }
    chunk += character
    remainingSize -= width
  }
  yield chunk
}

/** Deletes a value, however many cookies it is in, or was about to be. */
export function deleteChunkedCookie(
  jar: CookieJar,
  cookies: RequestCookies,
  cookie: CookieDefinition,
): void {
  const set = jar.list.map(({ name }) => name)
  for (const name of [...cookies.namesWithPrefix(cookie.name), ...set]) {
    if (name === cookie.name || isChunkName(name, cookie.name)) jar.delete({ ...cookie, name })
  }
}

/** Lets what {@link writeChunkedCookie} did leave with a refusal, too: see {@link CookieJar.keepOnError}. */
export function keepChunkedCookieOnError(jar: CookieJar, { name: base }: CookieDefinition): void {
  for (const { name } of jar.list) {
    if (name === base || isChunkName(name, base)) jar.keepOnError(name)
  }
}

function findChunkNames(cookies: RequestCookies, name: string): readonly string[] {
  return cookies.namesWithPrefix(`${name}.`).filter((each) => isChunkName(each, name))
}

function isChunkName(each: string, name: string): boolean {
  return each.startsWith(`${name}.`) && /^(?:0|[1-9][0-9]{0,3})$/.test(each.slice(name.length + 1))
}
