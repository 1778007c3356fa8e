/** Checks whether links, callbacks and cookies match the URL that users open. */
import { createActionURL, isAuthAction } from "@latchkey/core"
import { type DoctorContext, isLocalhost } from "./doctor-context.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createSkippedFinding,
  createWarningFinding,
  describeError,
  type Finding,
} from "./finding.ts"
import { isMountRead } from "./mount-checks.ts"

/** Returns an http(s) URL as it is, and undefined for anything else, such as `localhost:3000`. */
export function toWebUrl(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) && /^https?:/i.test(url) ? url : undefined
}

/** Finds an `AUTH_URL` that is not a URL: without it, nothing knows where the application is. */
export function* checkAuthUrl(authUrl: string | undefined): Generator<Finding> {
  if (!authUrl || toWebUrl(authUrl) !== undefined) return
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(authUrl)
  const corrected = `${isLocal ? "http" : "https"}://${authUrl}`
  const example = /^[\w.[\]:/-]+$/.test(authUrl) && toWebUrl(corrected)
  yield createErrorFinding(
    "auth-url-unusable",
    `AUTH_URL must be an http(s) URL, received ${describeError(authUrl)}.`,
    `Write the scheme, too, such as AUTH_URL=${example || "https://example.com"}.`,
  )
}

export function* checkPublicUrl(context: DoctorContext): Generator<Finding> {
  const { config, env, url, production } = context
  if (context.isUrlGuessed) {
    yield createSkippedFinding(
      "address",
      "The public URL is unknown, and so are the redirect URIs.",
      "Set AUTH_URL, or pass the URL with --url.",
    )
    return
  }
  const sessionUrl = resolveActionUrl(context)
  if (sessionUrl instanceof Error) return // `checkAuthUrl` has reported it.
  if (sessionUrl.origin !== url.origin) {
    yield createErrorFinding(
      "auth-url-elsewhere",
      `Users open ${url.origin}, but links and callbacks lead to ${sessionUrl.origin}.`,
      `Set AUTH_URL to ${url.origin}${config.basePath}, or pass the URL that users open with --url.`,
    )
  }
  if (production && isLocalhost(sessionUrl)) {
    yield createErrorFinding(
      "auth-url-local",
      `In production, links and callbacks lead to ${sessionUrl.origin}, which is the computer of each user.`,
      "Set AUTH_URL to the public URL, or pass that URL with --url.",
    )
  } else if (production && sessionUrl.protocol === "http:") {
    yield createErrorFinding(
      "auth-url-insecure",
      `In production, ${sessionUrl.origin} sends passwords and session cookies unencrypted.`,
      "Serve the application over https, and use https in AUTH_URL.",
    )
  }
  yield* checkAuthUrlPath(context)
  if (isMountRead(context.application)) {
    yield createGoodFinding(
      "address",
      `The actions are at ${sessionUrl.href.replace(/\/session$/, "")}`,
    )
  }
  if (env["AUTH_TRUST_HOST"] && env["AUTH_URL"]) {
    yield createWarningFinding(
      "trust-host-idle",
      "AUTH_TRUST_HOST has no effect together with AUTH_URL, which is always trusted.",
      "Remove one of them.",
    )
  }
}

/** Returns the URL of an action as users see it, or the reason why there is none. */
export function resolveActionUrl(
  { config, env, url }: DoctorContext,
  action: "session" | "callback" = "session",
): URL | Error {
  try {
    const headers = new Headers({ host: url.host })
    return createActionURL(action, url.protocol, headers, env, { ...config, trustHost: false })
  } catch (error) {
    return error instanceof Error ? error : new TypeError(String(error))
  }
}

function* checkAuthUrlPath({ config, env }: DoctorContext): Generator<Finding> {
  const authUrl = env["AUTH_URL"]
  if (!authUrl || !URL.canParse(authUrl)) return
  const { pathname, search, hash, origin } = new URL(authUrl)
  const path = pathname.replace(/\/+$/, "")
  const action = path.split("/").findIndex(isAuthAction)
  if (search || hash || action > 0) {
    const usablePath = action > 0 ? path.split("/").slice(0, action).join("/") : path
    yield createErrorFinding(
      "auth-url-page",
      `AUTH_URL is the URL of a page, ${authUrl}, instead of the URL that the actions begin with.`,
      `Set it to ${origin}${usablePath}.`,
    )
    return
  }
  const basePath = String(config.basePath).replace(/\/+$/, "")
  if (path === "" || path === basePath) return
  yield createWarningFinding(
    "base-path-differs",
    `AUTH_URL has the path ${path}, but the actions are at ${basePath}, because the mount or \`basePath\` takes precedence.`,
    "Remove the path from AUTH_URL, or use the same path for both. It is part of the callback URLs at the providers.",
  )
}
