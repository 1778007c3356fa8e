/**
 * What SvelteKit's own modules tell. They exist in an application only, so that nothing but this file and what runs in
 * pages imports them. `$app/env` is in SvelteKit 2 from 2.62 and in 3; `$app/environment` and `$env/dynamic/private`
 * are deprecated in 3, which says so at every start.
 */
import { resolve } from "$app/paths"

/** Whether the application is run to be built or prerendered: nobody is signed in then, and there is no secret. */
export { building } from "$app/env"

// Read once: while a request is answered, `resolve` gives a path that is relative to the page's.

/** The first page of the application. */
export const homePath: string = resolve("/", {})

/** The base path where neither the configuration nor `AUTH_URL` has one: under the `paths.base` of the application. */
export const defaultBasePath: string = resolve("/auth", {})
