/** Whether links, callbacks and cookies agree with the address that people open. */
import { createActionURL } from "@latchkey/core"
import { type DoctorContext, isLocalhost } from "./doctor-context.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createSkippedFinding,
  createWarningFinding,
  describeError,
  type Finding,
} from "./finding.ts"

export function* checkPublicUrl(context: DoctorContext): Generator<Finding> {
  const { config, env, url, production } = context
  if (context.isUrlGuessed) {
    yield createSkippedFinding(
      "address",
      "Nobody said what the public address is.",
      "Name it with --url.",
    )
    return
  }
  const sessionUrl = resolveActionUrl(context)
  if (sessionUrl instanceof Error) {
    yield createErrorFinding(
      "auth-url-unusable",
      describeError(sessionUrl),
      "Write AUTH_URL like https://example.com/auth.",
    )
    return
  }
  if (sessionUrl.origin !== url.origin) {
    yield createErrorFinding(
      "auth-url-elsewhere",
      `People open ${url.origin}, but links and callbacks lead to ${sessionUrl.origin}.`,
      `Set AUTH_URL to ${url.origin}${config.basePath}, or call the doctor with the --url that people open.`,
    )
  }
  if (production && isLocalhost(sessionUrl)) {
    yield createErrorFinding(
      "auth-url-local",
      `In production, links and callbacks lead to ${sessionUrl.origin}, which is each visitor's own computer.`,
      "Set AUTH_URL to the public address, or name that address with --url.",
    )
  } else if (production && sessionUrl.protocol === "http:") {
    yield createErrorFinding(
      "auth-url-insecure",
      `In production, ${sessionUrl.origin} sends passwords and session cookies in the clear.`,
      "Serve the application by https, and say so in AUTH_URL.",
    )
  }
  yield* checkAuthUrlPath(context)
  yield createGoodFinding(
    "address",
    `Actions are under ${sessionUrl.href.replace(/\/session$/, "")}`,
  )
  if (env["AUTH_TRUST_HOST"] && env["AUTH_URL"]) {
    yield createWarningFinding(
      "trust-host-idle",
      "AUTH_TRUST_HOST says nothing beside AUTH_URL, which is trusted anyway.",
      "Remove one of them.",
    )
  }
}

function resolveActionUrl({ config, env, url }: DoctorContext): URL | Error {
  try {
    const headers = new Headers({ host: url.host })
    return createActionURL("session", url.protocol, headers, env, { ...config, trustHost: false })
  } catch (error) {
    return error instanceof Error ? error : new TypeError(String(error))
  }
}

function* checkAuthUrlPath({ config, env }: DoctorContext): Generator<Finding> {
  const authUrl = env["AUTH_URL"]
  if (!authUrl || !URL.canParse(authUrl)) return
  const path = new URL(authUrl).pathname.replace(/\/+$/, "")
  const basePath = String(config.basePath).replace(/\/+$/, "")
  if (path === "" || path === basePath) return
  yield createWarningFinding(
    "base-path-differs",
    `AUTH_URL has the path ${path}, the configuration \`basePath\` ${basePath}; the latter counts.`,
    "Leave the path out of AUTH_URL, or make both the same. Callback URLs at the providers follow it.",
  )
}
