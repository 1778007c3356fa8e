/** Interprets the response to a token request with an unknown code (RFC 6749 section 5.2). */
import { redactSecrets } from "../redact-secrets.ts"

/** The response of a token endpoint. */
export interface TokenResponse {
  readonly status: number
  readonly text: string
}

/** The conclusion about the client from a response. */
export interface TokenVerdict {
  readonly verdict: "accepted" | "client-refused" | "redirect-uri-refused" | "unknown"
  /** The status and the error code. */
  readonly text: string
}

/** Error codes of the standard, and those of GitHub and others. */
const verdicts: readonly (readonly [TokenVerdict["verdict"], RegExp])[] = [
  ["redirect-uri-refused", /redirect_ur[il]/],
  ["client-refused", /^(?:invalid|unauthorized|incorrect|bad)_client|^invalid_app/],
  ["accepted", /^invalid_grant$|^(?:bad_verification|invalid)_code$|^invalid_authorization_code$/],
]

export function describeTokenResponse({ status, text }: TokenResponse): TokenVerdict {
  const error = readError(text)
  const [verdict = "unknown"] = verdicts.find(([, pattern]) => pattern.test(error)) ?? []
  const isRefused = verdict === "unknown" && status === 401
  return {
    verdict: isRefused ? "client-refused" : verdict,
    text: [status, error].filter(Boolean).join(" "),
  }
}

/** Returns the error code, from JSON or a form; empty if there is none. */
function readError(text: string): string {
  const error = parseJsonError(text) ?? new URLSearchParams(text).get("error")
  return typeof error === "string" && /^[\w.-]{1,64}$/.test(error)
    ? redactSecrets(error, process.env)
    : ""
}

function parseJsonError(text: string): unknown {
  try {
    return Object(JSON.parse(text)).error
  } catch {
    return undefined // not JSON
  }
}
