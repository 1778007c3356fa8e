/** Whether links, callbacks and cookies agree with the address that people open. */
import { createActionURL } from "@latchkey/core"
import { described, doubtful, type Finding, good, skipped, wrong } from "./finding.ts"
import { isLocal, type Subject } from "./subject.ts"

export function* addressFindings(subject: Subject): Generator<Finding> {
  const { config, env, url, production } = subject
  if (subject.isGuessed) {
    yield skipped("address", "Nobody said what the public address is.", "Name it with --url.")
    return
  }
  const action = actionUrl(subject)
  if (action instanceof Error) {
    yield wrong(
      "auth-url-unusable",
      described(action),
      "Write AUTH_URL like https://example.com/auth.",
    )
    return
  }
  if (action.origin !== url.origin) {
    yield wrong(
      "auth-url-elsewhere",
      `People open ${url.origin}, but links and callbacks lead to ${action.origin}.`,
      `Set AUTH_URL to ${url.origin}${config.basePath}, or call the doctor with the --url that people open.`,
    )
  }
  if (production && isLocal(action)) {
    yield wrong(
      "auth-url-local",
      `In production, links and callbacks lead to ${action.origin}, which is each visitor's own computer.`,
      "Set AUTH_URL to the public address, or name that address with --url.",
    )
  } else if (production && action.protocol === "http:") {
    yield wrong(
      "auth-url-insecure",
      `In production, ${action.origin} sends passwords and session cookies in the clear.`,
      "Serve the application by https, and say so in AUTH_URL.",
    )
  }
  yield* pathFindings(subject)
  yield good("address", `Actions are under ${action.href.replace(/\/session$/, "")}`)
  if (env["AUTH_TRUST_HOST"] && env["AUTH_URL"]) {
    yield doubtful(
      "trust-host-idle",
      "AUTH_TRUST_HOST says nothing beside AUTH_URL, which is trusted anyway.",
      "Remove one of them.",
    )
  }
}

function actionUrl({ config, env, url }: Subject): URL | Error {
  try {
    const headers = new Headers({ host: url.host })
    return createActionURL("session", url.protocol, headers, env, { ...config, trustHost: false })
  } catch (error) {
    return error instanceof Error ? error : new TypeError(String(error))
  }
}

function* pathFindings({ config, env }: Subject): Generator<Finding> {
  const configured = env["AUTH_URL"]
  if (!configured || !URL.canParse(configured)) return
  const path = new URL(configured).pathname.replace(/\/+$/, "")
  const basePath = String(config.basePath).replace(/\/+$/, "")
  if (path === "" || path === basePath) return
  yield doubtful(
    "base-path-differs",
    `AUTH_URL has the path ${path}, the configuration \`basePath\` ${basePath}; the latter counts.`,
    "Leave the path out of AUTH_URL, or make both the same. Callback URLs at the providers follow it.",
  )
}
