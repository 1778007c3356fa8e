import { stripTrailingSlash } from "./route.ts"

/** Returns the URL of an action, such as `signin` or `callback/github`. */
export function buildActionUrl(
  { origin }: { readonly origin: string },
  { basePath }: { readonly basePath: string },
  path: string,
): string {
  return `${origin}${stripTrailingSlash(basePath)}/${path}`
}
