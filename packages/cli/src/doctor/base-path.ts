/** Determines the base path of the actions in the same way as the framework package. */
import { detectFramework } from "./framework.ts"
import { readNextBasePath } from "./next-routes.ts"
import type { Mount } from "./sources.ts"

/** The sources of the base path. */
export interface BasePathSources {
  /** The exported configuration. SolidStart calls the base path `prefix`. */
  readonly config: { readonly basePath?: unknown; readonly prefix?: unknown }
  readonly mount: Mount | undefined
  readonly authUrl: string | undefined
  /** The URL of the command line. Its path counts only if the sources do not tell the mount. */
  readonly url: string | undefined
}

/** Returns the effective base path. */
export function resolveBasePath({ config, mount, authUrl, url }: BasePathSources): string {
  const framework = detectFramework()
  // Express and Qwik tell their package where it is mounted. SvelteKit only provides the default.
  const isMountKnown = framework === "express" || framework === "qwik"
  const candidates = [
    config.prefix,
    config.basePath,
    // A mount at `/` is one without a path.
    isMountKnown && mount?.path !== "/" ? mount?.path : undefined,
    getUrlPath(authUrl),
    framework === "sveltekit" ? mount?.path : undefined,
    mount ? undefined : getUrlPath(url),
  ]
  const first = candidates.find((path): path is string => typeof path === "string" && path !== "")
  if (first !== undefined) return first
  if (framework === "next") return `${readNextBasePath()}/api/auth`
  return framework === "solid-start" ? "/api/auth" : "/auth"
}

/** Returns the path of a URL, or undefined for `/`. */
export function getUrlPath(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  return new URL(url).pathname.replace(/\/{1,64}$/, "") || undefined
}
