/** The oldest versions that Latchkey's packages support, of packages for which Auth.js accepts older ones. */
import semver from "semver"
import { movedPackages } from "./modules.ts"

/** By the package of Auth.js that is replaced. */
const oldestVersions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "@auth/express": { express: "4.18.2" },
  "next-auth": { next: "15.5.0", react: "18.2.0" },
  "@auth/qwik": { "@builder.io/qwik": "1.9.0", "@builder.io/qwik-city": "1.9.0" },
  "@auth/solid-start": { "@solidjs/start": "1.1.0", "solid-js": "1.9.0" },
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

/** The first versions of what stays that accept nodemailer 7. Adapters depend on one version of `@auth/core`. */
export const oldestBesideNodemailer: ReadonlyMap<string, string> = new Map([
  ["@auth/core", "0.41.1"],
  ["@auth/edgedb-adapter", "1.11.2"],
  ["@auth/mongodb-adapter", "3.11.1"],
  ...["d1", "drizzle", "hasura", "kysely", "neon", "pg", "supabase", "xata"].map(
    (name) => [`@auth/${name}-adapter`, "1.11.1"] as const,
  ),
  ...[
    "dynamodb",
    "firebase",
    "neo4j",
    "prisma",
    "sequelize",
    "typeorm",
    "unstorage",
    "upstash-redis",
  ].map((name) => [`@auth/${name}-adapter`, "2.11.1"] as const),
])

/** The versions of Auth.js whose functions Latchkey has, and what was different before. */
const oldestAuthjs: Readonly<Record<string, readonly [version: string, difference: string]>> = {
  "@auth/sveltekit": [
    "1.0.0",
    "`SvelteKitAuth` returns `{ handle, signIn, signOut }` instead of `handle`, and " +
      "`locals.getSession()` is `locals.auth()`",
  ],
}

/** The dependencies of a project. */
export interface ProjectPackages {
  readonly listed: readonly string[]
  /** Those that Latchkey replaces. */
  readonly replaced: readonly string[]
}

export interface RequiredVersion {
  readonly oldest: string
  /** The end of a sentence, after "a version that". */
  readonly reason: string
}

/** Describes what to do if a package of Auth.js is older than what Latchkey replaces; undefined if it is not. */
export function findOldAuthjsAdvice(name: string, range: string): string | undefined {
  const [oldest, difference] = oldestAuthjs[name] ?? []
  if (oldest === undefined || !isOlder(range, oldest)) return undefined
  return `This was written for ${name} ${range}. Since ${oldest}, ${difference}: change that first.`
}

/** Returns the oldest version of a package that works after the move of a project; undefined if any does. */
export function findRequiredVersion(
  name: string,
  { listed, replaced }: ProjectPackages,
): RequiredVersion | undefined {
  if (replaced.length === 0) return undefined
  for (const authjs of replaced) {
    const oldest = oldestVersions[authjs]?.[name]
    if (oldest) return { oldest, reason: `${movedPackages[authjs]?.to} supports` }
  }
  const oldestPeer = oldestPeers[name]
  if (oldestPeer) return { oldest: oldestPeer, reason: "@latchkey/core supports" }
  const oldest = listed.includes("nodemailer") ? oldestBesideNodemailer.get(name) : undefined
  return oldest === undefined ? undefined : { oldest, reason: "accepts nodemailer 7" }
}

/** Whether a range, such as `^4.2.0`, begins before `oldest`, and ends before the next major version. */
export function isOlder(range: string, oldest: string): boolean {
  if (!semver.validRange(range) || !mayBeOlder(range, oldest)) return false
  return !semver.intersects(range, `>=${semver.major(semver.coerce(oldest) ?? oldest) + 1}`)
}

/** Whether a range, such as `>=4` or `latest`, allows a version before `oldest`, as far as can be said. */
export function mayBeOlder(range: string, oldest: string): boolean {
  const lowest = semver.validRange(range) ? semver.minVersion(range) : null
  return lowest === null || semver.lt(lowest, semver.minVersion(oldest) ?? oldest)
}
