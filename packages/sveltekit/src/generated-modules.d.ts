/** Modules that SvelteKit generates in an application. */
declare module "$app/env/private" {}

declare module "$env/dynamic/private" {
  export const env: Readonly<Record<string, string | undefined>>
}
