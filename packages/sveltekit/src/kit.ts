/**
 * Values from SvelteKit's own modules. These modules exist only in an application, so only this file, `environment.ts`
 * and the components import them. `$app/env` is available in SvelteKit 3, and in SvelteKit 2 from 2.63. The older
 * `$app/environment` causes a deprecation warning in SvelteKit 3.
 */
import { resolve } from "$app/paths"

/** Whether the application is being built or prerendered. There are no sessions and no secrets then. */
export { building } from "$app/env"

// `resolve` is called only here, because it returns a path relative to the page while a request is handled.

/** The first page of the application. */
export const homePath: string = resolve("/", {})

/** The base path if neither the configuration nor `AUTH_URL` has one: under the application's `paths.base`. */
export const defaultBasePath: string = resolve("/auth", {})
