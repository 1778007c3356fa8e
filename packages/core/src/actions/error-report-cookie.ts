/**
 * Takes the report of a failure to the page that shows it: in a sealed cookie, which only the browser in which it
 * happened has, which is used once, and for which it does not matter what process shows the page.
 */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { ActionOutcome } from "../http/action-outcome.ts"
import type { ActionRequest, SessionContext } from "../http/action-request.ts"
import type { CookieDefinition } from "../http/cookies.ts"
import type { ErrorReport } from "../http/error-report.ts"
import { stripTrailingSlash } from "../http/route.ts"
import { createErrorReport } from "./error-report.ts"
import type { Services } from "./services.ts"

/** How long the browser may take to the page, in seconds. */
const cookieMaxAge = 120
/** Most bytes of a report: sealed, with its name, it has to fit into one cookie (RFC 6265bis section 6.1). */
const maxReportBytes = 2600
/** Longest text of a report, in characters; where that is too much, the next one. */
const textLimits: readonly number[] = [400, 200, 100, 60]

/**
 * Tells the log what was looked at before a failure and, in development, the page that the browser is sent to.
 *
 * @param requestSecrets secrets of the request
 */
export async function saveErrorReport(
  error: unknown,
  request: ActionRequest,
  { config, logger, sealer }: Services,
  outcome: ActionOutcome,
  requestSecrets: readonly string[],
): Promise<void> {
  if (!request.reportRecorder.isEnabled) return
  try {
    const report = createErrorReport(error, request, [
      ...config.configuredSecrets,
      ...requestSecrets,
    ])
    logger.debug("trace", report)
    if (!config.development || !redirectsToBuiltInPage(outcome, request, config)) return
    const sealed = await sealer.seal("trace", fitReport(report), cookieMaxAge)
    request.jar.setEvenOnError(getReportCookie(request), sealed)
  } catch (reportError) {
    logger.error(reportError) // a failure that cannot be explained is answered all the same
  }
}

/** The report for a page that shows an error; it is used up. */
export async function consumeErrorReport(
  request: ActionRequest,
  { config, sealer }: Services,
): Promise<ErrorReport | undefined> {
  if (!config.development || !request.query.has("error")) return undefined
  const cookie = getReportCookie(request)
  const sealed = request.cookies.get(cookie.name)
  if (sealed === undefined) return undefined
  request.jar.delete(cookie)
  const opened = await sealer.open("trace", sealed)
  return opened as unknown as ErrorReport | undefined // sealed by `explain`
}

/** Bound to this host where cookies are Secure: no sub-domain can plant one. */
function getReportCookie({ cookieDefinitions }: SessionContext): CookieDefinition {
  const secure = cookieDefinitions.csrfToken.options.secure === true
  return {
    name: `${secure ? "__Host-" : ""}latchkey.trace`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure, maxAge: cookieMaxAge },
  }
}

function redirectsToBuiltInPage(
  outcome: ActionOutcome,
  { origin }: ActionRequest,
  config: ResolvedConfig,
): boolean {
  if (outcome.kind !== "redirect" || !URL.canParse(outcome.to)) return false
  const { origin: target, pathname } = new URL(outcome.to)
  const builtInPaths = ["error", "signin"].map(
    (page) => `${stripTrailingSlash(config.basePath)}/${page}`,
  )
  return target === origin && builtInPaths.includes(pathname)
}

/** Shortened until it fits; of too many steps, the last ones tell most. */
function fitReport(report: ErrorReport): ErrorReport {
  for (const maxLength of textLimits) {
    const shortReport = shortenTexts(report, maxLength)
    if (isWithinLimit(shortReport)) return shortReport
  }
  const shortest = shortenTexts(report, textLimits.at(-1) ?? 0)
  const count = shortest.steps.findIndex((_, index) => isWithinLimit(dropSteps(shortest, index)))
  return dropSteps(shortest, count === -1 ? shortest.steps.length : count)
}

function dropSteps(report: ErrorReport, count: number): ErrorReport {
  return { ...report, steps: report.steps.slice(count) }
}

function isWithinLimit(report: ErrorReport): boolean {
  return new TextEncoder().encode(JSON.stringify(report)).length <= maxReportBytes
}

/** Every text, however deep, at most so long. */
function shortenTexts(report: ErrorReport, maxLength: number): ErrorReport {
  const truncate = (value: unknown): unknown =>
    typeof value === "string" && value.length > maxLength ? `${value.slice(0, maxLength)}…` : value
  return JSON.parse(JSON.stringify(report, (_, value) => truncate(value)))
}
