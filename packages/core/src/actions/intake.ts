/** From what came in to an exchange. */
import type { RequestContext } from "../api.ts"
import { InvalidRequest } from "../errors.ts"
import { noBody, type ParsedBody, readBody } from "../http/body.ts"
import { CookieJar, parseCookies } from "../http/cookies.ts"
import { requestDeadline, within } from "../http/deadline.ts"
import type { Exchange, Visit } from "../http/exchange.ts"
import type { Route } from "../http/route.ts"
import { createTrace, noTrace } from "../http/trace.ts"
import type { Services } from "./services.ts"

/** A browser's request to an action. Throws InvalidRequest for a body that cannot be read. */
export async function exchangeOf(
  request: Request,
  url: URL,
  method: "GET" | "POST",
  route: Extract<Route, { kind: "action" }>,
  services: Services,
): Promise<Exchange> {
  const { body, form } = method === "POST" ? await bodyInTime(request) : noBody()
  return {
    ...visitOf(request.headers, url, services),
    action: route.action,
    providerId: route.providerId,
    method,
    url,
    headers: request.headers,
    query: url.searchParams,
    body,
    form,
    signal: request.signal,
  }
}

function bodyInTime(request: Request): Promise<ParsedBody> {
  const late = () => new InvalidRequest(400, { expected: "the body to arrive in time" })
  return within(requestDeadline, readBody(request), late)
}

/** What sessions need to know of a request. */
export function visitOf(headers: Headers, url: URL, { config }: Pick<Services, "config">): Visit {
  const secure = config.useSecureCookies ?? url.protocol === "https:"
  return {
    origin: url.origin,
    cookies: parseCookies(headers.get("cookie")),
    table: secure ? config.cookies.secure : config.cookies.plain,
    jar: new CookieJar(),
    trace: config.development || config.debug ? createTrace() : noTrace,
  }
}

/** A request that the application makes in the name of the browser's. */
export function ownExchange(
  { headers, url: written }: RequestContext,
  services: Services,
  action: "signin" | "callback" | "signout",
  providerId: string | undefined,
  body: Readonly<Record<string, unknown>>,
): Exchange {
  const { origin } = new URL(written)
  const path = [services.config.basePath, action, providerId ?? ""].join("/")
  const url = new URL(path.replace(/\/{2,}/g, "/").replace(/\/$/, ""), origin)
  return {
    ...visitOf(headers, url, services),
    action,
    providerId,
    method: "POST",
    url,
    headers,
    query: new URLSearchParams(),
    body,
    form: new URLSearchParams(),
    signal: new AbortController().signal,
  }
}
