/**
 * Creates error reports, which only development and `debug` need. A sealed cookie that is read once hands them to the
 * page that shows them.
 */

import type { ErrorReport } from "@latchkey/pages"
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import { AuthError, type UnknownAction } from "../../errors.ts"
import type { ActionOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { createHostCookie } from "../../http/cookies.ts"
import type { ErrorReportRecorder } from "../../http/error-report.ts"
import { createTextRedactor } from "../../logging/redact-text.ts"
import type { ActionContext } from "../action-context.ts"

const cookieName = "latchkey.error-report"
/** How long the browser may take to open the page, in seconds. */
const cookieMaxAge = 120
/** Size limit of a report in bytes: its sealed form has to fit into one cookie (RFC 6265bis section 6.1). */
const maxReportBytes = 2600

/**
 * Logs the report of a failure with `debug` and, in development, saves it for the page that the browser is
 * redirected to.
 *
 * @param requestSecrets values of the request that the report must not contain
 */
export async function saveErrorReport(
  error: unknown,
  { request, config, logger, sealer }: ActionContext,
  outcome: ActionOutcome,
  requestSecrets: readonly string[],
): Promise<void> {
  const { reportRecorder } = request
  if (!reportRecorder) return
  try {
    // First, because a response can contain more values than a redactor replaces.
    reportRecorder.secrets.unshift(...config.configuredSecrets, ...requestSecrets)
    const report = createErrorReport(error, request, reportRecorder)
    logger.debug("error-report", report)
    const target = outcome.kind === "redirect" ? outcome.to : ""
    const builtInPages = ["error?", "signin?"].map((page) => `${request.actionsUrl}/${page}`)
    const isShown = builtInPages.some((page) => target.startsWith(page))
    if (!config.development || !isShown) return
    const sealed = await sealer.seal("error report", fitReport(report), cookieMaxAge)
    const cookie = createHostCookie(request.cookieDefinitions, cookieName)
    request.jar.set(cookie, sealed, { maxAge: cookieMaxAge })
    request.jar.keepOnError(cookie.name, "always")
  } catch (reportError) {
    logger.error(reportError)
  }
}

/** Returns the report for a page that shows an error, and deletes its cookie. */
export async function consumeSavedReport(context: ActionContext): Promise<ErrorReport | undefined> {
  const { request, config, sealer } = context
  const cookie = createHostCookie(request.cookieDefinitions, cookieName)
  const sealed = request.cookies.get(cookie.name)
  if (!config.development || !request.query.has("error") || sealed === undefined) return undefined
  request.jar.delete(cookie)
  const report = await sealer.open("error report", sealed)
  return report as ErrorReport | undefined // sealed above
}

/** Shortens the texts of a report until it fits, then drops the first steps: the last ones are the most useful. */
function fitReport(report: ErrorReport, maxLength = 400): ErrorReport {
  const isShortest = maxLength < 50
  const size = new TextEncoder().encode(JSON.stringify(report)).length
  if (size <= maxReportBytes || (isShortest && report.steps.length === 0)) return report
  if (isShortest) return fitReport({ ...report, steps: report.steps.slice(1) }, maxLength)
  const shorten = (text: string) =>
    text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return fitReport(mapTexts(report, shorten), maxLength / 2)
}

/** Applies a function to all texts of a report. */
function mapTexts(report: ErrorReport, transform: (text: string) => string): ErrorReport {
  return JSON.parse(JSON.stringify(report), (_, value) =>
    typeof value === "string" ? transform(value) : value,
  )
}

function createErrorReport(
  error: unknown,
  request: ActionRequest,
  { steps, secrets }: ErrorReportRecorder,
): ErrorReport {
  const { method, url, origin, headers } = request
  const sender = headers.get("sec-fetch-site") ?? headers.get("origin") ?? "an unknown sender"
  const received = `${method} ${url.pathname} at ${origin}, sent by ${sender}`
  const { type, hint, docs } =
    error instanceof AuthError ? error : { type: "Error", hint: "", docs: "" }
  const errors = listErrors(error)
  // The library and oauth4webapi name the claim of an ID token that they reject.
  const failedClaim = errors.map((each) => Object(Object(each).cause).claim).find(Boolean)
  const knownSecrets = secrets.filter((value) => typeof value === "string")
  // Two redactors, because each replaces a limited number of secrets and a browser may send many cookies.
  const redactors = [knownSecrets, collectCookieValues(request)].map(createTextRedactor)
  const report: ErrorReport = {
    type,
    message: error instanceof Error ? error.message : String(error),
    hint,
    docs,
    causes: errors.slice(1).map(formatError),
    heading: "Steps",
    steps: [{ name: "Request", received }, ...steps].map((step) =>
      step.name === `ID token: ${failedClaim}` ? { ...step, isAsExpected: false } : step,
    ),
  }
  const redacted = mapTexts(report, (text) =>
    redactors
      .reduce((rest, { redactLine }) => redactLine(rest), text)
      .replace(emailPattern, "$1…@$2"),
  )
  return { ...redacted, type, docs }
}

/** Matches e-mail addresses: the first character of the local part, and the domain. */
const emailPattern =
  /([^\s<>"'`,;:()[\]/=&?@])[^\s<>"'`,;:()[\]/=&?@]*(?:@|%40)([^\s<>"'`,;:()[\]/=&?@]+)/gi

/** Short values are left out, because they are parts of harmless words. The callback URL is no secret. */
function collectCookieValues({ cookies, cookieDefinitions }: ActionRequest): string[] {
  const callbackUrl = cookieDefinitions.callbackUrl.name
  const names = cookies.namesWithPrefix("").filter((name) => name !== callbackUrl)
  return names.map((name) => cookies.get(name) ?? "").filter((value) => value.length >= 8)
}

/** Lists an error and the errors behind it, outermost first. */
function listErrors(error: unknown, maxCount = 6): unknown[] {
  const cause = error instanceof AuthError ? error.cause?.err : Object(error).cause
  const hasCause = cause instanceof Error && maxCount > 1
  return [error, ...(hasCause ? listErrors(cause, maxCount - 1) : [])]
}

function formatError(error: unknown): string {
  const { name, code, message } = Object(error)
  return /^\w{1,60}$/.test(code ?? "") ? `${name} (${code}): ${message}` : `${name}: ${message}`
}

/** Returns the report of a request that names no action, which has nothing that is secret. */
export function reportUnknownAction({ type, message, hint, docs }: UnknownAction): ErrorReport {
  return { type, message, hint, docs, causes: [], heading: "", steps: [] }
}

/** Returns the report of the problems of a configuration, or of its providers if these are the only ones. */
export function reportConfigProblems(config: ResolvedConfig): ErrorReport | undefined {
  const { configuredSecrets, development, providerProblems } = config
  const problems = [...config.problems, ...providerProblems]
  if (!development || problems.length === 0) return undefined
  const refused = config.problems.length > 0 ? "Every request is refused" : "Providers are left out"
  const count = problems.length === 1 ? "A problem" : `${problems.length} problems`
  const report = {
    type: `${count} of the configuration`,
    message: `${refused} until you fix the configuration and restart the server.`,
    hint: "",
    docs: "",
    causes: [],
    heading: "Problems",
    steps: problems.map(({ type, message, hint, docs, cause = {} }) => ({
      name: cause["option"] ? `${type}: ${cause["option"]}` : type,
      expected: String(cause["expected"] ?? message),
      received: cause["received"] === undefined ? undefined : String(cause["received"]),
      hint: `${hint} (${docs})`,
      isAsExpected: false,
    })),
  }
  return mapTexts(report, createTextRedactor(configuredSecrets).redactLine)
}
