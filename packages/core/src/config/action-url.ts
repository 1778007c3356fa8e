/** The URL of an action, for code that stands outside of a request to it. */
import { resolveRequestOrigin } from "../http/request-origin.ts"
import type { AuthAction, LoggerInstance } from "../types.ts"
import { createLogger } from "./logger.ts"

/** What {@link createActionURL} reads of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What {@link createActionURL} needs of a configuration. */
export interface ActionUrlConfig {
  basePath?: string | undefined
  logger?: Partial<LoggerInstance> | undefined
  /** False ignores forwarded headers. */
  trustHost?: boolean | undefined
}

/**
 * Builds the URL of an action: from `AUTH_URL` when the environment has it, else from the headers of a request.
 *
 * @param protocol of the request, with or without its colon; `https` when unknown
 * @throws TypeError when the URL of the environment, or the host of the request, cannot be used
 */
export function createActionURL(
  action: AuthAction,
  protocol: string,
  headers: Headers,
  env: Environment,
  config: ActionUrlConfig,
): URL {
  const basePath = config.basePath
  const envUrl = env["AUTH_URL"] || env["NEXTAUTH_URL"]
  if (!envUrl) {
    const origin = resolveRequestOrigin(protocol, headers, config.trustHost !== false)
    return buildActionUrl(new URL(origin), basePath, action)
  }
  const base = parseEnvUrl(envUrl)
  if (basePath !== undefined && basePath !== "/" && base.pathname !== "/") {
    if (base.pathname !== basePath) {
      createLogger(config.logger, false).warn("env-url-basepath-mismatch")
    }
    base.pathname = "/"
  }
  return buildActionUrl(base, basePath, action)
}

function parseEnvUrl(text: string): URL {
  const url = parseWebUrl(text)
  if (url) return url
  throw new TypeError("AUTH_URL is not the URL of a website: write it like https://example.com")
}

/** The URL that a text is, when it is one of the web; `localhost:3000` is a URL of another kind. */
export function parseWebUrl(text: unknown): URL | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined
}

function buildActionUrl(base: URL, basePath: string | undefined, action: AuthAction): URL {
  const segments = [...base.pathname.split("/"), ...(basePath ?? "").split("/"), action]
  base.pathname = segments.filter(Boolean).join("/")
  base.search = ""
  base.hash = ""
  return base
}
