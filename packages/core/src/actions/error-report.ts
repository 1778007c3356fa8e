/** What a developer is told of a failure. No text in it holds a secret, a token or a whole address. */
import { createTextRedactor } from "../config/redact-text.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { AuthError } from "../errors.ts"
import type { ActionRequest, SessionContext } from "../http/action-request.ts"
import type { ErrorReport, ErrorReportStep } from "../http/error-report.ts"

type Redact = (text: string) => string

/** Most errors behind an error that are named. */
const maxCauses = 5

/**
 * The report of a request that failed.
 *
 * @param knownSecrets secrets of the request and of the configuration
 */
export function createErrorReport(
  error: unknown,
  request: ActionRequest,
  knownSecrets: readonly string[],
): ErrorReport {
  const redact = createRedactor(request, knownSecrets)
  const isAuthError = error instanceof AuthError
  const steps = [createRequestStep(request), ...request.reportRecorder.steps]
  return {
    type: isAuthError ? error.type : "Error",
    message: redact(getMessage(error)),
    hint: isAuthError ? redact(error.hint) : "",
    docs: isAuthError ? error.docs : "",
    causes: collectCauses(error).map((cause) => redact(formatError(cause))),
    heading: "What was looked at",
    steps: steps.map((step) => redactStep(step, redact)),
  }
}

/** The report of a configuration that cannot be used. */
export function createConfigReport({ problems, configuredSecrets }: ResolvedConfig): ErrorReport {
  const redact: Redact = createTextRedactor(configuredSecrets).redactLine
  const steps = problems.map((problem): ErrorReportStep => {
    const { expected = problem.message, received, option } = problem.cause ?? {}
    const step = {
      name: [problem.type, option].filter(Boolean).join(": "),
      expected: String(expected),
      hint: `${problem.hint} (${problem.docs})`,
      isAsExpected: false,
    }
    return redactStep(
      received === undefined ? step : { ...step, received: String(received) },
      redact,
    )
  })
  const count = steps.length === 1 ? "A problem" : `${steps.length} problems`
  return {
    type: `${count} of the configuration`,
    message: "Every request is refused until it is mended and the server was started again.",
    hint: "",
    docs: "",
    causes: [],
    heading: "What has to be mended",
    steps,
  }
}

function createRedactor(context: SessionContext, knownSecrets: readonly string[]): Redact {
  const secretRedactor = createTextRedactor([
    ...knownSecrets,
    ...context.reportRecorder.redactedValues,
  ])
  // Apart from the others, because there may be many of them.
  const cookieRedactor = createTextRedactor(collectCookieValues(context))
  return (text) => maskEmails(cookieRedactor.redactLine(secretRedactor.redactLine(text)))
}

/** Short values are also parts of harmless words; where to go afterwards is one. */
function collectCookieValues({ cookies, cookieDefinitions }: SessionContext): string[] {
  const names = cookies
    .namesWithPrefix("")
    .filter((name) => name !== cookieDefinitions.callbackUrl.name)
  const values = names.map((name) => cookies.get(name) ?? "")
  return values.filter((value) => value.length >= 8)
}

const emailPattern =
  /([^\s<>"'`,;:()[\]/=&?@])[^\s<>"'`,;:()[\]/=&?@]*(?:@|%40)([^\s<>"'`,;:()[\]/=&?@]+)/gi

/** Enough of an address to know one's own. */
function maskEmails(text: string): string {
  return text.replace(emailPattern, "$1…@$2")
}

function createRequestStep({ method, url, origin, headers }: ActionRequest): ErrorReportStep {
  const sender = headers.get("sec-fetch-site") ?? headers.get("origin") ?? "nobody who says so"
  return {
    name: "Request",
    received: `${method} ${url.pathname} at ${origin}, sent by ${sender}`,
  }
}

function redactStep(step: ErrorReportStep, redact: Redact): ErrorReportStep {
  const texts = Object.entries(step).map(([key, value]) => [
    key,
    typeof value === "string" ? redact(value) : value,
  ])
  return Object.fromEntries(texts) as ErrorReportStep // the same keys, and the same kinds of values
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function collectCauses(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = getCause(error); cause && causes.length < maxCauses; cause = getCause(cause)) {
    causes.push(cause)
  }
  return causes
}

function getCause(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  const cause = error instanceof AuthError ? error.cause?.err : error.cause
  return cause instanceof Error ? cause : undefined
}

function formatError(error: Error): string {
  const { code } = error as { code?: unknown }
  const formattedCode = typeof code === "string" && /^\w{1,60}$/.test(code) ? ` (${code})` : ""
  return `${error.name}${formattedCode}: ${error.message}`
}
