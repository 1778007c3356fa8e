/** Runs a flow with one fault, and describes what it left behind. */
import { inspect } from "node:util"
import type { TestBrowser } from "@latchkey/testing"
import { createFaultSite, type FaultSite, password, type SiteKind } from "./fault-site.ts"
import { type Flow, type FlowContext, isRefused, prepareContext, Refusal } from "./flows.ts"
import type { PlannedFault } from "./outgoing-calls.ts"
import type { VirtualTime } from "./virtual-time.ts"

/** The state after a flow: who is signed in in the browser, and what is stored. */
export interface State {
  readonly user: string | null
  /** The users with their accounts, without random ids. */
  readonly users: readonly string[]
}

export interface FlowRun {
  readonly calls: readonly string[]
  /** The names of all functions of the configuration. */
  readonly functions: ReadonlySet<string>
  /** Where the last response redirects to. */
  readonly location: string | null
  /** The last response, as far as the visitor sees it. */
  readonly isRefused: boolean
  /** The user of the session in the response; undefined if the response is no session. */
  readonly shownUser: string | null | undefined
  readonly before: State
  readonly after: State
  /** The state when the flow ran again without a fault; undefined if that would be another sign-in. */
  readonly retried: State | undefined
  readonly isRetryRefused: boolean
  /** Whether the sessions of other browsers survived. */
  readonly keepsOthers: boolean
  /** Secrets that a log line contains. */
  readonly leaks: readonly string[]
}

/** How long a flow may take in real time, in milliseconds. */
const deadline = 10_000
const { setTimeout: realTimeout, clearTimeout: realClearTimeout } = globalThis

export async function runFlow(
  flow: Flow,
  kind: SiteKind,
  time: VirtualTime,
  start: number,
  planned: readonly PlannedFault[],
): Promise<FlowRun> {
  time.reset(start)
  const site = await createFaultSite(kind, time)
  try {
    const context = await prepareContext(site, flow)
    const before = await readState(site, context.browser)
    flow.begin?.(context)
    site.calls.start(planned)
    const { response, isEarly } = await finish(flow, context)
    site.calls.stop()
    const calls = [...site.calls.calls]
    time.reset(Date.now())
    const after = await readState(site, context.browser)
    const isStopped = isEarly || isRefused(response)
    const retry = isStopped || flow.isRepeatable ? await finish(flow, context) : undefined
    return {
      calls,
      functions: site.calls.names,
      location: response.headers.get("location"),
      isRefused: isStopped,
      shownUser: await readShownUser(response),
      before,
      after,
      retried: retry && (await readState(site, context.browser)),
      isRetryRefused: retry !== undefined && (retry.isEarly || isRefused(retry.response)),
      keepsOthers: (await Promise.all(context.others.map((other) => other.getSession()))).every(
        Boolean,
      ),
      leaks: findLeaks(site),
    }
  } finally {
    site.database.close()
  }
}

/** Runs a flow to its end, or to the first step that is refused. */
async function finish(
  flow: Flow,
  context: FlowContext,
): Promise<{ response: Response; isEarly: boolean }> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = realTimeout(() => reject(new Error("no response")), deadline)
  })
  try {
    return { response: await Promise.race([flow.run(context), late]), isEarly: false }
  } catch (error) {
    if (error instanceof Refusal) return { response: error.response, isEarly: true }
    throw error
  } finally {
    realClearTimeout(timer)
  }
}

async function readShownUser(response: Response): Promise<string | null | undefined> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json")
  if (!isJson || response.status !== 200) return undefined
  const session: { user?: { name?: string } } | null = await response.clone().json()
  return session && String(session.user?.name)
}

async function readState(site: FaultSite, browser: TestBrowser): Promise<State> {
  const session = await browser.getSession()
  const users = site.database
    .prepare(
      `select coalesce(u.name, '') || ' <' || coalesce(u.email, '') || '>' as name, u.emailVerified is not null as verified,
         (select group_concat(a.provider || ' ' || a.type, ', ') from "Account" a where a.userId = u.id) as accounts,
         (select count(*) from "Authenticator" p where p.userId = u.id) as passkeys
       from "User" u order by 1, 2, 3`,
    )
    .all()
  return {
    user: session && String(session.user?.name ?? session.user?.email ?? "nobody"),
    users: users.map(
      ({ name, verified, accounts, passkeys }) =>
        `${name}${verified ? " (verified)" : ""}: ${accounts ?? "no account"}, ${passkeys} passkeys`,
    ),
  }
}

/** Returns the secrets that the log contains: tokens, codes, passwords, and cookies with a value of their own. */
function findLeaks(site: FaultSite): string[] {
  const cookies = site.responses.flatMap((response) =>
    response.headers
      .getSetCookie()
      .filter((line) => !line.includes("authjs.last-provider="))
      .map((line) => line.slice(line.indexOf("=") + 1).split(";")[0]),
  )
  const links = site.mailbox.map(({ token }) => token)
  const sessions = site.database.prepare('select sessionToken from "Session"').all()
  const secrets = [
    ...cookies.flatMap((value = "") => value.split(/%7C|\|/)),
    ...sessions.map(({ sessionToken }) => String(sessionToken)),
    ...[...site.oidc.secrets, ...site.oauth.secrets, ...links, password],
  ]
  const log = inspect(site.log.lines, { depth: null, maxStringLength: null, maxArrayLength: null })
  return [...new Set(secrets)].filter(
    (secret) => secret.length >= 6 && !secret.startsWith("https%3A") && log.includes(secret),
  )
}
