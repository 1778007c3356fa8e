/** Which module of Latchkey replaces a module of Auth.js. */
import { readdirSync } from "node:fs"
import { basename } from "node:path"
import { catalogueFolder } from "../provider-addresses.ts"
import type { SourceLibrary } from "./source-library.ts"

/** The replacement of a module. */
export type ModuleMove =
  | {
      readonly kind: "moved"
      readonly to: string
      /** The exports that have another name. */
      readonly names: Readonly<Record<string, string>>
      /** The id of a provider that has another name now: accounts and routes keep it. */
      readonly formerId?: string
      /** A sentence that says what to check by hand. */
      readonly advice?: string
    }
  | { readonly kind: "unknown"; readonly advice: string }

interface PackageMove {
  readonly to: string
  readonly entries: readonly string[]
  readonly names: Readonly<Record<string, string>>
}

/** The packages that Latchkey replaces, the entries that they share, and what has another name in them. */
export const movedPackages: Readonly<Record<string, PackageMove>> = {
  "@auth/core": {
    to: "@latchkey/core",
    entries: ["", "/adapters", "/errors", "/jwt", "/providers", "/types"],
    names: {},
  },
  "@auth/express": {
    to: "@latchkey/express",
    entries: ["", "/adapters", "/providers"],
    names: { ExpressAuth: "MiddlewareAuth", ExpressAuthConfig: "MiddlewareAuthConfig" },
  },
  "@auth/qwik": {
    to: "@latchkey/qwik",
    entries: ["", "/adapters", "/providers"],
    names: {
      QwikAuth$: "ResumableAuth$",
      QwikAuthQrl: "ResumableAuthQrl",
      QwikAuthConfig: "ResumableAuthConfig",
    },
  },
  "@auth/solid-start": {
    to: "@latchkey/solid-start",
    entries: ["", "/adapters", "/client", "/providers"],
    names: { SolidAuth: "ReactiveAuth", SolidAuthConfig: "ReactiveAuthConfig" },
  },
  "@auth/sveltekit": {
    to: "@latchkey/sveltekit",
    entries: ["", "/adapters", "/client", "/components", "/providers", "/webauthn"],
    names: { SvelteKitAuth: "CompiledAuth", SvelteKitAuthConfig: "CompiledAuthConfig" },
  },
  "next-auth": { to: "@latchkey/next", entries: ["", "/react", "/webauthn"], names: {} },
  "@hono/auth-js": { to: "@latchkey/fetch", entries: [], names: {} },
  "auth-astro": { to: "@latchkey/fetch", entries: [], names: {} },
  "@sidebase/nuxt-auth": { to: "@latchkey/fetch", entries: [], names: {} },
}

/** Modules of libraries that are built on Auth.js. What has no other name is converted where it is called. */
const libraryModules: Readonly<Record<string, ModuleMove>> = {
  "@hono/auth-js": {
    kind: "moved",
    to: "@latchkey/fetch/hono",
    names: { initAuthConfig: "authMiddleware", verifyAuth: "requireSession" },
  },
  "@hono/auth-js/react": { kind: "moved", to: "@latchkey/fetch/react", names: {} },
  "auth-astro": { kind: "moved", to: "@latchkey/fetch", names: { defineConfig: "FetchAuth" } },
  "auth-astro/server": { kind: "moved", to: "@latchkey/fetch/astro", names: {} },
  "auth-astro/components": {
    kind: "unknown",
    advice:
      "These components have no counterpart: write forms that post to your own page (docs/fetch.md), or buttons with `signIn` of @latchkey/fetch/client.",
  },
  "auth:config": {
    kind: "unknown",
    advice: "Import the configuration from its file, or `auth`, which has its functions.",
  },
}

/**
 * Latchkey's own definitions store users of these under another `providerAccountId`: people with an account would not
 * be recognised.
 */
const keptProviders: readonly string[] = ["bitbucket", "salesforce"]

/** Modules of `@auth/core/providers` that contain only types, which ours has in one module. */
const typeModules: readonly string[] = ["oauth", "provider-types"]

const passkeyProviders: readonly string[] = ["passkey", "webauthn"]
/** The providers that are not in the catalogue. */
const otherProviders: readonly string[] = ["credentials", "nodemailer", ...passkeyProviders]
const passkeyAdvice = "Passkeys need @simplewebauthn/server 14: see docs/passkeys.md."

/** Returns the ids of the providers whose definitions may be replaced by Latchkey's: the files of its catalogue. */
export function readReplaceableProviders(): ReadonlySet<string> {
  const files = readdirSync(catalogueFolder)
  const ids = [...files.map((file) => basename(file, ".ts")), ...otherProviders]
  return new Set(ids.filter((id) => !keptProviders.includes(id)))
}

/** Whether the text may contain a module of Auth.js, or of a library that is built on it. */
export function mentionsAuthjs(text: string, library: SourceLibrary): boolean {
  return (libraryWords[library] ?? /@auth\/|next-auth/).test(text)
}

/** Words of functions that need no import, too. */
const libraryWords: Partial<Record<SourceLibrary, RegExp>> = {
  "hono-auth-js": /@auth\/|@hono\/auth-js|\bauthUser\b/,
  "auth-astro": /@auth\/|auth-astro|auth:config/,
  "nuxt-auth":
    /@auth\/|next-auth|nuxt-auth|#auth|\buseAuth(?:State)?\b|definePageMeta\([^)]*\bauth\s*:/,
}

/**
 * Returns what replaces a module; undefined if it stays, as database adapters do, or has nothing to do with Auth.js.
 */
export function findModuleMove(
  specifier: string,
  replaceableProviders: ReadonlySet<string>,
): ModuleMove | undefined {
  const libraryModule = libraryModules[specifier]
  if (libraryModule) return libraryModule
  // These modules of next-auth 5 are those of Auth.js; examples for adapters import types from them.
  const authjsModule = specifier.replace(
    /^next-auth(?=\/(?:adapters|jwt|providers)\b)/,
    "@auth/core",
  )
  const [, name = "", entry = ""] = /^(@auth\/[^/]+|next-auth)(\/.*)?$/.exec(authjsModule) ?? []
  const move = movedPackages[name]
  if (!move) return findAdvice(name)
  const { to, names, entries } = move
  const providerId = entry.replace(/\.js$/, "").match(/^\/providers\/(.+)$/)?.[1]
  if (providerId !== undefined) {
    if (typeModules.includes(providerId)) return { kind: "moved", to: `${to}/providers`, names: {} }
    if (replaceableProviders.has(providerId)) {
      const moved = { kind: "moved", to: `${to}/providers/${providerId}`, names: {} } as const
      return passkeyProviders.includes(providerId) ? { ...moved, advice: passkeyAdvice } : moved
    }
    // The objects of Auth.js work unchanged.
    if (specifier.startsWith("@auth/core/")) return
    return { kind: "moved", to: `@auth/core/providers/${providerId}`, names: {} }
  }
  if (![...entries, "/package.json"].includes(entry)) {
    const advice = `${specifier} is internal to Auth.js: use what ${to} exports instead.`
    return { kind: "unknown", advice }
  }
  const moved = { kind: "moved", to: to + entry, names: entry === "" ? names : {} } as const
  return entry === "/webauthn" ? { ...moved, advice: webauthnAdvice } : moved
}

const webauthnAdvice =
  "Replace `signIn` of this module with `createPasskeys(client).signIn`: see docs/passkeys.md."

function findAdvice(packageName: string): ModuleMove | undefined {
  if (packageName === "" || packageName.endsWith("-adapter")) return
  const advice = `Latchkey has no package for ${packageName}: call \`Auth\` of @latchkey/core with the Request.`
  return { kind: "unknown", advice }
}
