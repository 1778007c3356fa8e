/** The library that an application uses, where its functions have other counterparts than those of Auth.js. */
import semver from "semver"

/** `authjs` stands for every package of Auth.js, and NextAuth.js 5. */
export type SourceLibrary = "authjs" | "next-auth-4" | "hono-auth-js" | "auth-astro" | "nuxt-auth"

/** The package of each library that is built on Auth.js. */
const libraries: readonly (readonly [packageName: string, library: SourceLibrary])[] = [
  ["@hono/auth-js", "hono-auth-js"],
  ["auth-astro", "auth-astro"],
  ["@sidebase/nuxt-auth", "nuxt-auth"],
]

/** Returns the library of an application by its `package.json`. */
export function findSourceLibrary(manifest: string): SourceLibrary {
  const [, library] = libraries.find(([name]) => manifest.includes(`"${name}":`)) ?? []
  return library ?? (listsNextAuth4(manifest) ? "next-auth-4" : "authjs")
}

/** Whether a `package.json` lists a version of `next-auth` before 5. */
function listsNextAuth4(manifest: string): boolean {
  const range = /"next-auth":\s*"([^"]+)"/.exec(manifest)?.[1]
  if (range === "latest") return true // 5 has another tag
  return Boolean(range && semver.validRange(range) && semver.intersects(range, "<5.0.0-0"))
}
