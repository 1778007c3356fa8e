/** What a developer is told of a failure. No text in it holds a secret, a token or a whole address. */
import { createTextRedactor } from "../config/redact-text.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { AuthError } from "../errors.ts"
import type { Exchange, Visit } from "../http/exchange.ts"
import type { TraceReport, TraceStep } from "../http/trace.ts"

type Say = (text: string) => string

/** Most errors behind an error that are named. */
const mostCauses = 5

/**
 * The report of a request that failed.
 *
 * @param known secrets of the request and of the configuration
 */
export function reportOf(
  error: unknown,
  exchange: Exchange,
  known: readonly string[],
): TraceReport {
  const say = sayer(exchange, known)
  const isOwn = error instanceof AuthError
  const steps = [requestStep(exchange), ...exchange.trace.steps]
  return {
    type: isOwn ? error.type : "Error",
    message: say(messageOf(error)),
    hint: isOwn ? say(error.hint) : "",
    docs: isOwn ? error.docs : "",
    causes: causesOf(error).map((cause) => say(named(cause))),
    heading: "What was looked at",
    steps: steps.map((step) => said(step, say)),
  }
}

/** The report of a configuration that cannot be used. */
export function problemReport({ problems, ownSecrets }: ResolvedConfig): TraceReport {
  const say: Say = createTextRedactor(ownSecrets).line
  const steps = problems.map((problem): TraceStep => {
    const { expected = problem.message, came, option } = problem.cause ?? {}
    const step = {
      name: [problem.type, option].filter(Boolean).join(": "),
      expected: String(expected),
      hint: `${problem.hint} (${problem.docs})`,
      fits: false,
    }
    return said(came === undefined ? step : { ...step, came: String(came) }, say)
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

function sayer(visit: Visit, known: readonly string[]): Say {
  const secrets = createTextRedactor([...known, ...visit.trace.hidden])
  // Apart from the others, because there may be many of them.
  const cookies = createTextRedactor(cookieValues(visit))
  return (text) => withoutAddresses(cookies.line(secrets.line(text)))
}

/** Short values are also parts of harmless words; where to go afterwards is one. */
function cookieValues({ cookies, table }: Visit): string[] {
  const names = cookies.namesFrom("").filter((name) => name !== table.callbackUrl.name)
  const values = names.map((name) => cookies.get(name) ?? "")
  return values.filter((value) => value.length >= 8)
}

const address =
  /([^\s<>"'`,;:()[\]/=&?@])[^\s<>"'`,;:()[\]/=&?@]*(?:@|%40)([^\s<>"'`,;:()[\]/=&?@]+)/gi

/** Enough of an address to know one's own. */
function withoutAddresses(text: string): string {
  return text.replace(address, "$1…@$2")
}

function requestStep({ method, url, origin, headers }: Exchange): TraceStep {
  const from = headers.get("sec-fetch-site") ?? headers.get("origin") ?? "nobody who says so"
  return {
    name: "Request",
    came: `${method} ${url.pathname} at ${origin}, sent by ${from}`,
  }
}

function said(step: TraceStep, say: Say): TraceStep {
  const texts = Object.entries(step).map(([key, value]) => [
    key,
    typeof value === "string" ? say(value) : value,
  ])
  return Object.fromEntries(texts) as TraceStep // the same keys, and the same kinds of values
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = behind(error); cause && causes.length < mostCauses; cause = behind(cause)) {
    causes.push(cause)
  }
  return causes
}

function behind(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  const cause = error instanceof AuthError ? error.cause?.err : error.cause
  return cause instanceof Error ? cause : undefined
}

function named(error: Error): string {
  const { code } = error as { code?: unknown }
  const shown = typeof code === "string" && /^\w{1,60}$/.test(code) ? ` (${code})` : ""
  return `${error.name}${shown}: ${error.message}`
}
