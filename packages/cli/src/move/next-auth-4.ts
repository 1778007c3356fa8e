/** Which module of Latchkey replaces a module of NextAuth.js 4, in Next.js, and in Nuxt with `@sidebase/nuxt-auth`. */
import type { ModuleMove } from "./modules.ts"

interface Replacements {
  readonly package: string
  /** By the module of `next-auth`. */
  readonly modules: Readonly<Record<string, string>>
  readonly names: Readonly<Record<string, string>>
}

const replacements: Readonly<Record<"next-auth-4" | "nuxt-auth", Replacements>> = {
  "next-auth-4": {
    package: "@latchkey/next",
    modules: {
      "": "/v4",
      "/next": "/v4",
      "/middleware": "/v4/middleware",
      "/jwt": "/v4/jwt",
      "/react": "/react",
      "/adapters": "/adapters",
      "/providers": "/providers",
      "/providers/credentials": "/v4/providers/credentials",
      "/package.json": "/package.json",
    },
    names: {},
  },
  "nuxt-auth": {
    package: "@latchkey/fetch",
    modules: { "": "", "/adapters": "/adapters", "/providers": "/providers" },
    names: { AuthOptions: "AuthConfig", NextAuthOptions: "AuthConfig" },
  },
}

/** The providers with another name. */
const renamedProviders: Readonly<Record<string, string>> = {
  "azure-ad": "microsoft-entra-id",
  email: "nodemailer",
}

/** Returns what replaces a module; undefined if it has nothing to do with NextAuth.js. */
export function findNextAuth4Move(
  specifier: string,
  library: keyof typeof replacements,
  replaceableProviders: ReadonlySet<string>,
): ModuleMove | undefined {
  const target = replacements[library]
  const adapter = /^@next-auth\/([\w-]+-adapter)$/.exec(specifier)?.[1]
  if (adapter !== undefined) return { kind: "moved", to: `@auth/${adapter}`, names: {} }
  if (!/^next-auth(?:\/|$)/.test(specifier)) return undefined
  const entry = specifier.slice("next-auth".length)
  const to = target.modules[entry]
  if (to !== undefined) return { kind: "moved", to: target.package + to, names: target.names }
  const provider = entry.match(/^\/providers\/([\w-]+)$/)?.[1]
  if (provider !== undefined) return findProvider(provider, target.package, replaceableProviders)
  const advice = `${specifier} has no counterpart: use what ${target.package}${target.modules[""]} exports instead.`
  return { kind: "unknown", advice }
}

function findProvider(
  id: string,
  packageName: string,
  replaceableProviders: ReadonlySet<string>,
): ModuleMove {
  const newId = renamedProviders[id] ?? id
  // The objects of Auth.js work unchanged, and have the ids of version 4.
  if (!replaceableProviders.has(newId))
    return { kind: "moved", to: `@auth/core/providers/${id}`, names: {} }
  const moved = { kind: "moved", to: `${packageName}/providers/${newId}`, names: {} } as const
  return newId === id ? moved : { ...moved, formerId: id }
}
