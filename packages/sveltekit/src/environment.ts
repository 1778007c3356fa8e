/** The environment variables of the application, as SvelteKit knows them. Only for the server. */
import type { EnvironmentVariables } from "@latchkey/core"
import { VERSION } from "@sveltejs/kit"

let environment: Promise<EnvironmentVariables> | undefined

/**
 * Returns the environment variables: those of the adapter's platform or of `process.env`, and in development those of
 * `.env` and the other files that Vite reads. Variables that `src/env.ts` declares have the values of its schema.
 */
export function loadEnvironment(): Promise<EnvironmentVariables> {
  // Not before the first request, because adapters pass the variables to SvelteKit after they have loaded this module.
  environment ??= readEnvironment()
  return environment
}

/** Reads the environment variables as they are now: see {@link loadEnvironment}. */
export async function readEnvironment(): Promise<EnvironmentVariables> {
  const declared = Object.entries<unknown>(await import("$app/env/private"))
  const texts = declared.filter((entry): entry is [string, string] => typeof entry[1] === "string")
  const undeclared = await loadUndeclaredVariables()
  return { ...globalThis.process?.env, ...undeclared, ...Object.fromEntries(texts) }
}

/**
 * Loads the variables that SvelteKit 3 does not pass to the application, because `src/env.ts` does not declare them.
 */
async function loadUndeclaredVariables(): Promise<EnvironmentVariables> {
  if (VERSION.startsWith("2.")) {
    // It throws if `experimental.explicitEnvironmentVariables` is enabled, which makes SvelteKit 2 behave like 3.
    const dynamic = await import("$env/dynamic/private").catch(() => undefined)
    if (dynamic) return dynamic.env
  }
  if (!import.meta.env.DEV) return {}
  const { loadEnv } = await import("vite")
  return loadEnv(import.meta.env.MODE, process.cwd(), "")
}
