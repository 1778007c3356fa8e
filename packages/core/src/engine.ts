/** The engine: a configuration compiled once, and the way of a request through it. */
import { ownExchange, visitOf } from "./actions/intake.ts"
import type { Caller, Services } from "./actions/services.ts"
import { currentSession } from "./actions/session.ts"
import type {
  LatchkeyAuth,
  OnFault,
  RawResponse,
  RedirectResult,
  SessionResult,
  SignInInput,
  SignOutInput,
} from "./api.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import { resolveConfig } from "./config/resolve.ts"
import type { ResolvedConfig } from "./config/resolved-config.ts"
import { advise, createMemory, type EngineMemory } from "./engine/memory.ts"
import { problemOf, run, settle, tooLate } from "./engine/settle.ts"
import { rawOf, type Settled, write } from "./engine/settled.ts"
import { AuthError, SessionTokenError } from "./errors.ts"
import { createEmailFlow } from "./flows/email.ts"
import { createOAuthFlow } from "./flows/oauth/oauth.ts"
import { createWebAuthnFlow } from "./flows/webauthn/webauthn.ts"
import { inTime } from "./http/deadline.ts"
import type { Exchange } from "./http/exchange.ts"
import { type HeaderLookup, type IncomingRequest, incomingOf } from "./http/incoming.ts"
import { createPlaces } from "./http/place.ts"
import { type Answer, respond } from "./http/respond.ts"
import { createPages } from "./pages/pages.ts"
import { createSessions } from "./sessions/sessions.ts"
import type { SessionUpdate } from "./sessions/strategy.ts"
import type { Cookie } from "./types.ts"

/** The engine, with what only this library and its packages for frameworks call. */
export interface Engine extends LatchkeyAuth {
  handleRaw(request: Request): Promise<RawResponse>
  /**
   * Answers a request to one of the actions, without web objects. Always resolves; never rejects.
   *
   * @param url of the request, with the origin that the browser sees; not to be changed afterwards
   */
  answer(incoming: IncomingRequest, url: URL): Promise<Answer>
  session(
    headers: Pick<HeaderLookup, "get">,
    url: string | URL,
    onFault?: OnFault,
  ): Promise<SessionResult>
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
    placeOf: createPlaces(config.basePath),
    ownPagesSuffice,
  }
  for (const problem of config.problems) config.log.error(problem)
  advise(config, memory.told)
  return {
    basePath: config.basePath,
    async handle(request, url = request.url) {
      const incoming = incomingOf(request)
      return respond(answerTo(incoming, await settle(incoming, services, String(url)), config))
    },
    answer: async (incoming, url) =>
      answerTo(incoming, await settle(incoming, services, url), config),
    async handleRaw(request) {
      const settled = await settle(incomingOf(request), services, request.url)
      if (settled.error instanceof AuthError && !wantsJson(request.headers)) throw settled.error
      return rawOf(settled)
    },
    session: async (headers, url, onFault) => readSession(headers, url, services, { onFault }),
    signIn: (input) => signIn(input, services),
    signOut: (input) => signOut(input, services),
    update: async ({ headers, url, data }) =>
      readSession(headers, url, services, { update: { data } }),
  }
}

const wantsJson = (headers: HeaderLookup): boolean => headers.has("x-auth-return-redirect")

function answerTo({ headers }: IncomingRequest, settled: Settled, { log }: ResolvedConfig): Answer {
  const { outcome, unchanged } = settled
  return write(settled, outcome.kind === "redirect" && !unchanged && wantsJson(headers), log)
}

interface Reading {
  readonly update?: SessionUpdate
  readonly onFault?: OnFault | undefined
}

async function readSession(
  headers: Pick<HeaderLookup, "get">,
  url: string | URL,
  services: Services,
  { update, onFault }: Reading,
): Promise<SessionResult> {
  assertUsable(services)
  const visit = visitOf(headers, new URL(url), services)
  try {
    const session = await inTime(currentSession(visit, services, update), tooLate(visit))
    return { session, cookies: visit.jar.list }
  } catch (error) {
    services.config.log.error(error)
    void leave(visit.jar.spentList, onFault, services)
    if (error instanceof AuthError) throw error
    throw new SessionTokenError("The session could not be checked.", { cause: error })
  }
}

/** What goes wrong in it is written down alone: the caller has to hear of why the session could not be checked. */
async function leave(
  cookies: readonly Cookie[],
  onFault: OnFault | undefined,
  { config }: Services,
): Promise<void> {
  try {
    if (cookies.length > 0) await onFault?.(cookies)
  } catch (error) {
    config.log.error(error)
  }
}

function assertUsable({ config }: Services): void {
  const problem = problemOf(config)
  if (problem) throw problem
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
