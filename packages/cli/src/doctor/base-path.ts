/** Determines the base path of the actions in the same way as the framework package. */
import { readPackageJson } from "./package-json.ts"

/** The sources of the base path. The first that has one wins. */
export interface BasePathSources {
  /** The exported configuration. SolidStart calls the base path `prefix`. */
  readonly config: { readonly basePath?: unknown; readonly prefix?: unknown }
  readonly authUrl: string | undefined
  /** The URL of the command line. */
  readonly url: string | undefined
}

/** Returns the effective base path. */
export function resolveBasePath({ config, authUrl, url }: BasePathSources): string {
  const candidates = [config.prefix, config.basePath, getUrlPath(authUrl), getUrlPath(url)]
  const first = candidates.find((path): path is string => typeof path === "string" && path !== "")
  return first ?? getDefaultBasePath()
}

/** Returns the path of a URL, or undefined for `/`. */
function getUrlPath(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  return new URL(url).pathname.replace(/\/{1,64}$/, "") || undefined
}

/** Returns the default of the framework: SolidStart has its own. */
function getDefaultBasePath(): string {
  return readPackageJson().includes('"@latchkey/solid-start"') ? "/api/auth" : "/auth"
}
