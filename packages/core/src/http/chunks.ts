/** A value that may not fit into one cookie: in one, or in several numbered ones. */
import type { CookieOptions } from "../types.ts"
import type { CookieJar, NamedCookie, RequestCookies } from "./cookies.ts"

/** Characters of value in one cookie: 4096 less 160 for name and attributes. */
const chunkSize = 3936
/** More than a browser or server carries; beyond it the set is refused. */
const mostChunks = 32

/** Reads a value from one cookie, or else from `<name>.0`, `<name>.1` … without a gap. */
export function readChunks(cookies: RequestCookies, name: string): string | undefined {
  const whole = cookies.get(name)
  if (whole !== undefined) return whole
  const count = chunkNames(cookies, name).length
  if (count === 0 || count > mostChunks) return undefined
  let value = ""
  for (let i = 0; i < count; i++) {
    const chunk = cookies.get(`${name}.${i}`)
    // `count` also counts duplicates and strays, so any of them leaves a gap here.
    if (chunk === undefined) return undefined
    value += chunk
  }
  return value
}

/** Writes a value, and deletes what the browser still has of an older one. */
export function writeChunks(
  jar: CookieJar,
  cookies: RequestCookies,
  cookie: NamedCookie,
  value: string,
  extra: CookieOptions,
): void {
  deleteChunks(jar, cookies, cookie)
  const size = Math.min(chunkSize, 4090 - cookie.name.length)
  if (value.length <= size) {
    jar.set(cookie, value, extra)
    return
  }
  for (let i = 0; i * size < value.length; i++) {
    const chunk = { ...cookie, name: `${cookie.name}.${i}` }
    jar.set(chunk, value.slice(i * size, (i + 1) * size), extra)
  }
}

/** Deletes a value, however many cookies it is in. */
export function deleteChunks(jar: CookieJar, cookies: RequestCookies, cookie: NamedCookie): void {
  const { name } = cookie
  const present = cookies.namesFrom(name).includes(name) ? [name] : []
  for (const each of [...present, ...chunkNames(cookies, name)])
    jar.delete({ ...cookie, name: each })
}

function chunkNames(cookies: RequestCookies, name: string): readonly string[] {
  const start = name.length + 1
  return cookies
    .namesFrom(`${name}.`)
    .filter((each) => /^(?:0|[1-9][0-9]{0,3})$/.test(each.slice(start)))
}
