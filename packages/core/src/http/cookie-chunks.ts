/** Values that may be too long for one cookie, and are then split into numbered cookies. */
import type { CookieDefinition, CookieJar, RequestCookies } from "./cookies.ts"

/** Chunks that are read. Auth.js may have written more than fit now. */
const maxChunks = 32

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

/** Whether a cookie has a value, or a chunk of it. */
export function isPartOf(part: string, { name, formerNames = [] }: CookieDefinition): boolean {
  return [part, removeChunkSuffix(part)].some((each) => each === name || formerNames.includes(each))
}
