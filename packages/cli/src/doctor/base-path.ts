/** Under which path the actions are, as the package that mounts the configuration finds it. */
import { existsSync, readFileSync } from "node:fs"

/** What each of these says, from the first to the last that says something. */
export interface BasePathSources {
  /** The configuration as it was written; SolidStart calls the base path `prefix`. */
  readonly config: { readonly basePath?: unknown; readonly prefix?: unknown }
  readonly authUrl: string | undefined
  /** The address that the doctor was given. */
  readonly url: string | undefined
}

/** The base path in effect. */
export function resolveBasePath({ config, authUrl, url }: BasePathSources): string {
  const candidates = [config.prefix, config.basePath, getUrlPath(authUrl), getUrlPath(url)]
  const first = candidates.find((path): path is string => typeof path === "string" && path !== "")
  return first ?? getDefaultBasePath()
}

/** The path of a URL; undefined for that of the whole site. */
function getUrlPath(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  return new URL(url).pathname.replace(/\/{1,64}$/, "") || undefined
}

/** SolidStart keeps its routes under another path than the other frameworks. */
function getDefaultBasePath(): string {
  const packageJson = existsSync("package.json") ? readFileSync("package.json", "utf8") : ""
  return packageJson.includes('"@latchkey/solid-start"') ? "/api/auth" : "/auth"
}
