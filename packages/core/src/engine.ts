/** The engine: a configuration compiled once, and the way of a request through it. */
import { act } from "./actions/actions.ts"
import { explain } from "./actions/explanation.ts"
import { failure, misconfigured } from "./actions/failure.ts"
import { exchangeOf, ownExchange, visitOf } from "./actions/intake.ts"
import type { Caller, Services } from "./actions/services.ts"
import { currentSession } from "./actions/session.ts"
import type {
  LatchkeyAuth,
  RawResponse,
  RedirectResult,
  RequestContext,
  SessionResult,
  SignInInput,
  SignOutInput,
} from "./api.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import { resolveConfig } from "./config/resolve.ts"
import type { ResolvedConfig } from "./config/resolved-config.ts"
import { described } from "./config/rule.ts"
import { advise, createMemory, type EngineMemory } from "./engine/memory.ts"
import { fault, rawOf, type Settled, write } from "./engine/settled.ts"
import {
  AuthError,
  InvalidConfiguration,
  InvalidRequest,
  SessionTokenError,
  UnknownAction,
} from "./errors.ts"
import { createEmailFlow } from "./flows/email.ts"
import { createOAuthFlow } from "./flows/oauth/oauth.ts"
import { createWebAuthnFlow } from "./flows/webauthn/webauthn.ts"
import { requestDeadline, within } from "./http/deadline.ts"
import type { Exchange } from "./http/exchange.ts"
import { json } from "./http/outcome.ts"
import { routeOf } from "./http/route.ts"
import { createPages } from "./pages/pages.ts"
import { createSessions } from "./sessions/sessions.ts"
import type { SessionUpdate } from "./sessions/strategy.ts"

/** The engine, with what only this library calls. */
export interface Engine extends LatchkeyAuth {
  handleRaw(request: Request): Promise<RawResponse>
}

interface EngineOptions {
  readonly memory: EngineMemory
  readonly ownPagesSuffice: boolean
}

const usual = (): EngineOptions => ({ memory: createMemory(), ownPagesSuffice: false })

/** Compiles a configuration. */
export function createEngine(
  written: AuthConfig,
  { memory, ownPagesSuffice }: EngineOptions = usual(),
): Engine {
  const config = resolveConfig(written)
  const services: Services = {
    config,
    sessions: createSessions(config),
    oauth: createOAuthFlow(config, memory.metadata),
    email: createEmailFlow(config),
    webauthn: createWebAuthnFlow(config),
    pages: createPages(config.theme),
    ownPagesSuffice,
  }
  for (const problem of config.problems) config.log.error(problem)
  advise(config, memory.told)
  return {
    basePath: config.basePath,
    async handle(request, url) {
      const settled = await settle(request, services, url)
      return write(settled, wantsJson(request.headers) && !settled.unchanged, config.log)
    },
    async handleRaw(request) {
      const settled = await settle(request, services)
      if (settled.error instanceof AuthError && !wantsJson(request.headers)) throw settled.error
      return rawOf(settled)
    },
    session: async (headers, url) => readSession({ headers, url }, services),
    signIn: (input) => signIn(input, services),
    signOut: (input) => signOut(input, services),
    update: async ({ data, ...context }) => readSession(context, services, { data }),
  }
}

const wantsJson = (headers: Headers): boolean => headers.has("x-auth-return-redirect")

/** Runs a request to its outcome; everything that can fail has one. */
async function settle(
  request: Request,
  services: Services,
  seen: string | URL = request.url,
): Promise<Settled> {
  const { config } = services
  try {
    const url = new URL(seen)
    const route = routeOf(url.pathname, config.basePath)
    const method = request.method
    if (route.kind === "unknown" || (method !== "GET" && method !== "POST") || isTooLong(url)) {
      config.log.error(unknownAction(method, url, config))
      return { outcome: json("Bad request.", 400), cookies: [] }
    }
    const problem = problemOf(config)
    if (problem) {
      config.log.error(problem)
      const outcome = await misconfigured({ action: route.action, method, url }, services)
      return { outcome, cookies: [], error: problem, unchanged: true }
    }
    const exchange = await exchangeOf(request, url, method, route, services)
    return await run(exchange, services, { kind: "browser" })
  } catch (error) {
    config.log.error(error)
    if (!(error instanceof InvalidRequest)) return { outcome: fault, cookies: [], error }
    const body = error.status === 400 ? "Bad request." : { message: error.message }
    return { outcome: json(body, error.status), cookies: [], error }
  }
}

function unknownAction(method: string, { pathname }: URL, { basePath }: ResolvedConfig) {
  return new UnknownAction({
    expected: `GET or POST to an action under ${basePath}`,
    came: `${method} ${described(pathname)}`,
  })
}

/** Longest query in characters. */
const longestQuery = 16_384

function isTooLong(url: URL): boolean {
  return url.search.length > longestQuery
}

async function run(exchange: Exchange, services: Services, caller: Caller): Promise<Settled> {
  try {
    const outcome = await within(requestDeadline, act(exchange, services, caller), tooLate)
    return { outcome, cookies: exchange.jar.list }
  } catch (error) {
    const { config } = services
    const known = secretsOf(exchange)
    config.log.error(error, known)
    const outcome = failure(error, exchange, services)
    await explain(error, exchange, config, outcome, known)
    return { outcome, cookies: exchange.jar.spentList, error }
  }
}

function tooLate(): AuthError {
  return new AuthError({
    expected: `callbacks and adapter to finish within ${requestDeadline / 1000} s`,
    hint: "Give what hangs a limit of its own: a callback, a hook, the database or a mail server.",
  })
}

/** What a person typed or carried: kept out of the log line of an error. */
function secretsOf(exchange: Exchange): string[] {
  const shown = new Set(["action", "callbackUrl", "email", "link", "redirectTo"])
  const typed = Object.entries(exchange.body).filter(([name]) => !shown.has(name))
  const sent = ["code", "token", "state"].map((name) => exchange.query.get(name))
  const values = [...typed.map(([, value]) => value), ...sent]
  return values.flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value)] : [],
  )
}

async function readSession(
  { headers, url }: RequestContext,
  services: Services,
  update?: SessionUpdate,
): Promise<SessionResult> {
  assertUsable(services)
  const visit = visitOf(headers, new URL(url), services)
  try {
    const work = currentSession(visit, services, update)
    const session = await within(requestDeadline, work, tooLate)
    return { session, cookies: visit.jar.list }
  } catch (error) {
    services.config.log.error(error)
    if (error instanceof AuthError) throw error
    throw new SessionTokenError("The session could not be checked.", { cause: error })
  }
}

function assertUsable({ config }: Services): void {
  const problem = problemOf(config)
  if (problem) throw problem
}

/** What is wrong with the configuration, as one error. */
function problemOf({ problems }: ResolvedConfig): AuthError | undefined {
  return problems.length > 1 ? new InvalidConfiguration(problems) : problems[0]
}

async function signIn(input: SignInInput, services: Services): Promise<RedirectResult> {
  assertUsable(services)
  const { provider, options = {}, authorizationParams } = input
  const known = provider === undefined ? undefined : services.config.providers.get(provider)
  const { redirectTo, ...fields } = options
  const body = typeof redirectTo === "string" ? { ...fields, callbackUrl: redirectTo } : fields
  const action = known?.type === "credentials" ? "callback" : "signin"
  const exchange = ownExchange(input, services, action, known?.id, body)
  const parameters = authorizationParams && new URLSearchParams(authorizationParams)
  return redirectOf(exchange, services, {
    kind: "application",
    ...(parameters ? { authorizationParams: parameters } : {}),
  })
}

async function signOut(input: SignOutInput, services: Services): Promise<RedirectResult> {
  assertUsable(services)
  const callbackUrl = input.options?.redirectTo
  const body = callbackUrl === undefined ? {} : { callbackUrl }
  const exchange = ownExchange(input, services, "signout", undefined, body)
  return redirectOf(exchange, services, { kind: "application" })
}

async function redirectOf(
  exchange: Exchange,
  services: Services,
  caller: Caller,
): Promise<RedirectResult> {
  const { outcome, cookies, error } = await run(exchange, services, caller)
  if (error !== undefined) throw error
  if (outcome.kind === "redirect") return { redirect: outcome.to, cookies }
  return { redirect: exchange.origin, cookies }
}
