/** The oldest versions that Latchkey's packages support, of packages for which Auth.js accepts older ones. */
const oldestVersions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "@auth/qwik": { "@builder.io/qwik": "1.9.0", "@builder.io/qwik-city": "1.9.0" },
  "@auth/sveltekit": {
    "@sveltejs/kit": "2.63.0",
    svelte: "5.0.0",
    // The first versions for Svelte 5.
    "@sveltejs/vite-plugin-svelte": "4.0.0",
    "svelte-check": "4.0.0",
  },
}

/** The oldest versions of optional peers of `@latchkey/core`. npm refuses older ones. */
const oldestPeers: Readonly<Record<string, string>> = {
  nodemailer: "7.0.7",
  "@simplewebauthn/server": "14.0.3",
}

/** The versions of Auth.js whose functions Latchkey has, and what was different before. */
const oldestAuthjs: Readonly<Record<string, readonly [version: string, difference: string]>> = {
  "@auth/sveltekit": [
    "1.0.0",
    "`SvelteKitAuth` returns `{ handle, signIn, signOut }` instead of `handle`, and " +
      "`locals.getSession()` is `locals.auth()`",
  ],
}

/** Describes what to do if a package of Auth.js is older than what Latchkey replaces; undefined if it is not. */
export function findOldAuthjsAdvice(name: string, range: string): string | undefined {
  const [oldest, difference] = oldestAuthjs[name] ?? []
  if (oldest === undefined || !isOlder(range, oldest)) return undefined
  return `This was written for ${name} ${range}. Since ${oldest}, ${difference}: change that first.`
}

/** Returns the oldest supported version of a package, if the package of Auth.js is replaced. */
export function findOldestVersion(authjsPackage: string, name: string): string | undefined {
  return oldestVersions[authjsPackage]?.[name] ?? oldestPeers[name]
}

/** Whether a range, such as `^4.2.0` or `4.2.0`, allows no version from `oldest` on, or also older ones. */
export function isOlder(range: string, oldest: string): boolean {
  const [, ...written] = /^[~^]?(\d+)(?:\.(\d+))?(?:\.\d+)?$/.exec(range) ?? []
  const [major = 0, minor = 0] = written.map((part) => Number(part ?? 0))
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number)
  if (written.length === 0) return false
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}
