/** The URL of an action, for code outside of a request to it. */
import { resolveRequestOrigin } from "../http/request-origin.ts"
import { createLogger } from "../logging/logger.ts"
import type { AuthAction, LoggerInstance } from "../types.ts"
import type { EnvironmentVariables } from "./environment.ts"
import { parseWebUrl } from "./web-url.ts"

/** The options that {@link createActionURL} uses. */
export interface ActionUrlConfig {
  basePath?: string | undefined
  logger?: Partial<LoggerInstance> | undefined
  /** If false, forwarded headers are ignored. */
  trustHost?: boolean | readonly string[] | undefined
}

/**
 * For code that was written for Auth.js: builds the URL of an action from `AUTH_URL` or, if that is not set, from the
 * headers of a request.
 *
 * @param protocol the protocol of the request, with or without its colon; `https` if it is unknown
 * @throws TypeError when `AUTH_URL` or the host of the request is invalid
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: Headers,
  env: EnvironmentVariables,
  config: ActionUrlConfig,
): URL {
  const { basePath = "", trustHost } = config
  const envUrl = env["AUTH_URL"] || env["NEXTAUTH_URL"]
  const base = envUrl
    ? parseEnvUrl(envUrl)
    : new URL(resolveRequestOrigin(protocol, headers, trustHost !== false))
  if (basePath !== "" && basePath !== "/" && base.pathname !== "/") {
    if (base.pathname !== basePath) {
      createLogger(config.logger, false).warn("env-url-basepath-mismatch")
    }
    base.pathname = "/"
  }
  const segments = `${base.pathname}/${basePath}`.split("/").filter(Boolean)
  return new URL(`${base.origin}/${[...segments, action].join("/")}`)
}

/** @throws TypeError for a text that is not an http(s) URL */
export function parseEnvUrl(text: string): URL {
  const url = parseWebUrl(text)
  if (url) return url
  throw new TypeError("AUTH_URL must be an http(s) URL, such as https://example.com")
}
