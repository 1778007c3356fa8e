/**
 * Takes the report of a failure to the page that shows it: in a sealed cookie, which only the browser in which it
 * happened has, which is used once, and for which it does not matter what process shows the page.
 */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { NamedCookie } from "../http/cookies.ts"
import type { Exchange, Visit } from "../http/exchange.ts"
import type { Outcome } from "../http/outcome.ts"
import { basePrefix } from "../http/route.ts"
import type { TraceReport } from "../http/trace.ts"
import { reportOf } from "./report.ts"

/** How long the browser may take to the page, in seconds. */
const lifetime = 120
/** Most bytes of a report: sealed, with its name, it has to fit into one cookie (RFC 6265bis section 6.1). */
const mostBytes = 2600
/** Longest text of a report, in characters; where that is too much, the next one. */
const longestTexts: readonly number[] = [400, 200, 100, 60]

/**
 * Tells the log what was looked at before a failure and, in development, the page that the browser is sent to.
 *
 * @param known secrets of the request
 */
export async function explain(
  error: unknown,
  exchange: Exchange,
  config: ResolvedConfig,
  outcome: Outcome,
  known: readonly string[],
): Promise<void> {
  if (!exchange.trace.on) return
  try {
    const report = reportOf(error, exchange, [...config.ownSecrets, ...known])
    config.log.debug("trace", report)
    if (!config.development || !leadsToOwnPage(outcome, exchange, config)) return
    const sealed = await config.sealer.seal("trace", bounded(report), lifetime)
    exchange.jar.setAnyway(cookieOf(exchange), sealed)
  } catch (fault) {
    config.log.error(fault) // a failure that cannot be explained is answered all the same
  }
}

/** The report for a page that shows an error; it is used up. */
export async function takeReport(
  exchange: Exchange,
  config: ResolvedConfig,
): Promise<TraceReport | undefined> {
  if (!config.development || !exchange.query.has("error")) return undefined
  const cookie = cookieOf(exchange)
  const sealed = exchange.cookies.get(cookie.name)
  if (sealed === undefined) return undefined
  exchange.jar.delete(cookie)
  const opened = await config.sealer.open("trace", sealed)
  return opened as unknown as TraceReport | undefined // sealed by `explain`
}

/** Bound to this host where cookies are Secure: no sub-domain can plant one. */
function cookieOf({ table }: Visit): NamedCookie {
  const secure = table.csrfToken.options.secure === true
  return {
    name: `${secure ? "__Host-" : ""}latchkey.trace`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure, maxAge: lifetime },
  }
}

function leadsToOwnPage(outcome: Outcome, { origin }: Exchange, config: ResolvedConfig): boolean {
  if (outcome.kind !== "redirect" || !URL.canParse(outcome.to)) return false
  const { origin: target, pathname } = new URL(outcome.to)
  const own = ["error", "signin"].map((page) => `${basePrefix(config.basePath)}/${page}`)
  return target === origin && own.includes(pathname)
}

/** Shortened until it fits; of too many steps, the last ones tell most. */
function bounded(report: TraceReport): TraceReport {
  for (const longest of longestTexts) {
    const shorter = shortened(report, longest)
    if (fits(shorter)) return shorter
  }
  const shortest = shortened(report, longestTexts.at(-1) ?? 0)
  const count = shortest.steps.findIndex((_, index) => fits(without(shortest, index)))
  return without(shortest, count === -1 ? shortest.steps.length : count)
}

function without(report: TraceReport, count: number): TraceReport {
  return { ...report, steps: report.steps.slice(count) }
}

function fits(report: TraceReport): boolean {
  return new TextEncoder().encode(JSON.stringify(report)).length <= mostBytes
}

/** Every text, however deep, at most so long. */
function shortened(report: TraceReport, longest: number): TraceReport {
  const cut = (value: unknown): unknown =>
    typeof value === "string" && value.length > longest ? `${value.slice(0, longest)}…` : value
  return JSON.parse(JSON.stringify(report, (_, value) => cut(value)))
}
