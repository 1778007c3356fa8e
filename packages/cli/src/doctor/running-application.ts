/** Requests the routes and pages of the application, if it is running. */
import { findConfigProblems } from "./config-problems.ts"
import { type DoctorContext, listProviders } from "./doctor-context.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createSkippedFinding,
  describeError,
  type Finding,
  joinNames,
} from "./finding.ts"
import { detectFramework } from "./framework.ts"
import { isMountRead, mountInstructions } from "./mount-checks.ts"
import { resolveActionUrl } from "./public-url.ts"
import { readText } from "./response-body.ts"
import { withTimeout } from "./timeout.ts"

export async function* checkRunningApplication(context: DoctorContext): AsyncGenerator<Finding> {
  const sessionUrl = resolveActionUrl(context)
  if (context.isUrlGuessed || sessionUrl instanceof Error) return
  const base = sessionUrl.href.replace(/\/session$/, "")
  if (!context.online) {
    const what = isMountRead(context.application)
      ? `The application was not contacted at ${base}.`
      : `The actions are assumed to be at ${base}: the sources do not show where they are mounted.`
    yield createSkippedFinding("application", what, "Start the application, and add --online.")
    return
  }
  const finding = await checkProviderList(context, base)
  yield finding
  if (finding.level === "skipped") return
  const pages = { ...context.config.pages }
  const signInPages = [`${base}/signin`, new URL(pages.signIn ?? base, sessionUrl.origin).href]
  for (const [name, page] of Object.entries(pages)) {
    if (typeof page !== "string") continue
    const signInUrls = name === "error" ? signInPages : []
    const pageFinding = await checkPage(name, new URL(page, sessionUrl.origin), signInUrls)
    if (pageFinding) yield pageFinding
  }
}

async function checkProviderList(context: DoctorContext, base: string): Promise<Finding> {
  const url = `${base}/providers`
  let response: Response
  try {
    response = await withTimeout(fetch(url, { redirect: "manual" }))
  } catch (error) {
    const source = context.env["AUTH_URL"] ? ", the address in AUTH_URL" : ""
    const what = `No application answers at ${base}${source}: ${describeError(error)}`
    return createSkippedFinding(
      "application",
      what,
      "Start it to check its routes and pages, or pass its address with --url.",
    )
  }
  const { status } = response
  const list: unknown = await readText(response)
    .then(JSON.parse)
    .catch(() => undefined)
  const ids = Object.keys(Object(list))
  if (status === 200 && typeof list === "object" && list !== null) {
    const callbackUrls = Object.values(list).map(({ callbackUrl }) => String(callbackUrl))
    const other = callbackUrls.find((callbackUrl) => !callbackUrl.startsWith(`${base}/`))
    if (other !== undefined) return createOriginFinding(base, other)
    const problems = await findConfigProblems(context.config)
    const missing = listProviders(context).filter(
      ({ id }) => !ids.includes(id) && !problems.some(({ provider }) => provider === id),
    )
    if (missing.length === 0)
      return createGoodFinding("application", `The running application answers at ${base}`)
    const names = joinNames(missing.map(({ id }) => id))
    return createErrorFinding(
      "application-differs",
      `The application that runs at ${base} does not offer ${names}.`,
      "Restart it, and compare its environment variables with those of the doctor.",
    )
  }
  if (status === 500)
    return createErrorFinding(
      "application-refuses",
      `GET ${url} returned status 500: the running application refuses every request.`,
      "Read its log: its environment variables differ from those of the doctor.",
    )
  const framework = detectFramework()
  const answer = response.headers.get("location") ?? ""
  return createErrorFinding(
    "route-missing",
    `GET ${url} returned status ${status}${answer && `, a redirect to ${answer.slice(0, 200)}`}: the request does not reach the library.`,
    `${framework ? mountInstructions[framework] : `Mount the library at ${new URL(base).pathname}.`} If your application runs at another address, pass it with --url.`,
  )
}

function createOriginFinding(base: string, callbackUrl: string): Finding {
  return createErrorFinding(
    "application-origin",
    `You opened ${base}, but the application names ${callbackUrl}.`,
    `Start the application with AUTH_URL=${new URL(base).origin}, or let it trust its proxy: \`trust proxy\` in Express, AUTH_TRUST_HOST=true elsewhere.`,
  )
}

const maxRedirects = 8

/**
 * Follows the redirects of a page.
 *
 * @param signInUrls pages to which this one must not redirect
 */
async function checkPage(
  name: string,
  page: URL,
  signInUrls: readonly string[],
): Promise<Finding | undefined> {
  const visited = [page.href, ...signInUrls].map(removeQuery)
  let url = page
  try {
    for (let redirects = 0; redirects < maxRedirects; redirects++) {
      const response = await withTimeout(fetch(url, { redirect: "manual" }))
      await response.body?.cancel()
      if (response.status === 404) return createMissingPageFinding(name, url)
      const location = response.headers.get("location")
      if (response.status < 300 || response.status > 399 || location === null) break
      url = new URL(location, url)
      if (visited.includes(removeQuery(url.href))) return createLoopFinding(name, page)
      visited.push(removeQuery(url.href))
    }
  } catch {
    return undefined // a page of another host
  }
  return undefined
}

function removeQuery(url: string): string {
  return url.replace(/[?#].*$/s, "")
}

function createMissingPageFinding(name: string, url: URL): Finding {
  return createErrorFinding(
    "page-missing",
    `\`pages.${name}\`: GET ${url.href} returned status 404.`,
    `Create the page, or remove \`pages.${name}\` to use the built-in one.`,
  )
}

function createLoopFinding(name: string, page: URL): Finding {
  return createErrorFinding(
    "page-loops",
    `\`pages.${name}\`: ${page.href} redirects to a page that needs a sign-in, and that one leads back.`,
    "Let visitors who are signed out open this page: exclude it from the guard.",
  )
}
