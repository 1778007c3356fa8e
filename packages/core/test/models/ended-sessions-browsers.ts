/** The operations in browsers: each acts on the site, and adds to the history what it has done. */
import type { UserAgent } from "@latchkey/testing"
import fc from "fast-check"
import type { BrowserOperation, Ending, History, SignIn } from "./ended-sessions-model.ts"
import {
  type ApplicationName,
  basePaths,
  listSessionCookies,
  observeSignIn,
  origin,
  readSession,
  type Site,
  toCookieName,
} from "./ended-sessions-site.ts"

export const userCount = 2
export const browserCount = 2

/** The state of a sequence. */
export interface Sequence {
  readonly site: Site
  /** Names that no other sequence has. */
  readonly users: readonly string[]
  readonly browsers: readonly UserAgent[]
  readonly histories: Readonly<Record<ApplicationName, History>>
  round: number
}

export interface Operation {
  readonly run: (sequence: Sequence) => Promise<void>
  readonly toString: () => string
}

/** Operations should concern the same user, and the same application, often. */
export const user = fc.constantFrom(0, 0, 0, 1)
export const browser = fc.nat(browserCount - 1)
export const process = fc.nat(1)
const application = fc.constantFrom<ApplicationName>("main", "main", "main", "main", "wiki")

export function createOperation(
  description: string,
  run: (sequence: Sequence) => Promise<void>,
): Operation {
  return { run, toString: () => description }
}

/** Where an operation takes place. */
interface Place {
  readonly application: ApplicationName
  readonly browser: number
  readonly process: number
}

const place: fc.Arbitrary<Place> = fc.record({ application, browser, process })
const describePlace = (each: Place) =>
  `${each.application}, browser ${each.browser}, process ${each.process}`

/** A browser as an operation uses it. */
function openPlace({ site, browsers, histories, round }: Sequence, place: Place) {
  const agent = browsers[place.browser] as UserAgent
  const history = histories[place.application]
  const observer = site.observers[place.application]
  const path = basePaths[place.application]
  const headers = { "x-process": String(place.process) }
  const readId = async (cookie: string) =>
    (await readSession(observer, place.application, cookie))?.id
  return {
    agent,
    history,
    readId,
    headers,
    open: (route: string) => agent.fetch(`${path}/${route}`, { headers }),
    async submit(route: string, csrfToken: string, fields: Record<string, string> = {}) {
      return agent.post(`${path}/${route}`, { csrfToken, ...fields }, { headers })
    },
    /** Returns the token of an open page. Without a session it may be an older one, which saves a request. */
    async getCsrfToken(): Promise<string> {
      const name = toCookieName(place.application).replace("__Secure-", "__Host-")
      const cookie = agent.cookies.get(name.replace("session-token", "csrf-token"))
      const isSignedIn = listSessionCookies(agent, place.application).length > 0
      if (cookie && !isSignedIn) return cookie.value.slice(0, 64)
      const response = await agent.fetch(`${path}/csrf`, { headers })
      return String((await response.json()).csrfToken)
    },
    async listSent(): Promise<string[]> {
      const ids = await Promise.all(listSessionCookies(agent, place.application).map(readId))
      return [...new Set(ids.filter((id) => id !== undefined))]
    },
    log(operation: Omit<BrowserOperation, "browser" | "round">): void {
      history.operations.push({ ...operation, browser: place.browser, round })
    },
  }
}

type Opened = ReturnType<typeof openPlace>

/** Returns the session cookie that a response sets. */
const findCookie = (response: Response, name: ApplicationName): string | undefined =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .find((pair) => pair.startsWith(`${toCookieName(name)}=`) && !pair.endsWith("="))

/** Sends the proof of a sign-in, and adds the sign-in to the history. */
async function completeSignIn(
  { site }: Sequence,
  { application }: Place,
  { history, readId, listSent, log }: Opened,
  send: () => Promise<Response>,
  proof: Pick<SignIn, "user" | "method" | "sid">,
): Promise<void> {
  const sent = await listSent()
  const start = Date.now()
  const { response, checkedAt } = await observeSignIn(send)
  const end = Date.now()
  const received = findCookie(response, application)
  const receivedId = received && (await readId(received))
  // A response that refuses a sign-in may renew the session that the browser has.
  const isNew = !history.signIns.some((each) => each.id !== undefined && each.id === receivedId)
  const [cookie, id] = isNew ? [received, receivedId] : []
  const signIn: SignIn = {
    ...proof,
    start,
    checkedAt,
    end,
    cookie,
    id,
    renewedAt: start,
    usedAt: end,
  }
  history.signIns.push(signIn)
  log({ kind: "sign in", signIn, sent, isDone: true })
  if (application === "wiki" || !site.hasRecords || cookie === undefined) return
  // Of several sessions, that of the current cookie is replaced; of those in a database, all.
  const isCertain = id !== undefined && (sent.length === 1 || site.hasStoredSessions)
  const covers: Ending["covers"] = (each) =>
    each !== signIn && sent.includes(each.id ?? "") && (isCertain || "maybe")
  history.endings.push({ start, end, covers })
}

const signInWithPassword = fc.tuple(place, user).map(([where, who]) =>
  createOperation(`${describePlace(where)}: user ${who} signs in`, async (sequence) => {
    const name = sequence.users[who] ?? ""
    const opened = openPlace(sequence, where)
    const csrfToken = await opened.getCsrfToken()
    const send = () => opened.submit("callback/credentials", csrfToken, { name })
    await completeSignIn(sequence, where, opened, send, { user: name, method: "password" })
  }),
)

export const toSid = (name: string): string => `sid of ${name}`

const signInWithProvider = fc.tuple(place, user, fc.boolean()).map(([anywhere, who, hasSid]) => {
  const where = { ...anywhere, application: "main" } as const
  const description = `${describePlace(where)}: user ${who} signs in with the provider${hasSid ? ", sid" : ""}`
  return createOperation(description, async (sequence) => {
    const { provider } = sequence.site
    const name = sequence.users[who] ?? ""
    // Otherwise, it would create another user.
    if (!(await sequence.site.hasUser(name))) return
    const sid = hasSid ? toSid(name) : undefined
    const opened = openPlace(sequence, where)
    const request = await opened.submit(`signin/${provider.id}`, await opened.getCsrfToken())
    const location = request.headers.get("location") ?? ""
    const isStarted = location.startsWith("https:") && !location.startsWith(origin)
    const person = { sub: name, email: `${name}@example.com`, email_verified: true, name }
    const send = async () => {
      if (!isStarted) return request
      const approval = provider.approve(location, { user: { ...person, ...(sid && { sid }) } })
      return opened.agent.open(approval, { headers: opened.headers })
    }
    await completeSignIn(sequence, where, opened, send, { user: name, method: "provider", sid })
  })
})

const signOut = place.map((where) =>
  createOperation(`${describePlace(where)}: sign out`, async (sequence) => {
    const opened = openPlace(sequence, where)
    const csrfToken = await opened.getCsrfToken()
    const sent = await opened.listSent()
    const start = Date.now()
    const response = await opened.submit("signout", csrfToken)
    const end = Date.now()
    const { pathname, search } = new URL(response.headers.get("location") ?? "/auth", origin)
    const isDone = response.status === 302 && pathname === "/" && search === ""
    opened.log({ kind: "sign out", sent, isDone })
    if (where.application === "wiki" || !sequence.site.hasRecords) return
    const covers: Ending["covers"] = ({ id = "" }) => sent.includes(id) && (isDone || "maybe")
    opened.history.endings.push({ start, end, covers })
  }),
)

const check = place.map((where) =>
  createOperation(`${describePlace(where)}: check`, async (sequence) => {
    const opened = openPlace(sequence, where)
    await opened.open("session")
    opened.log({ kind: "check", sent: [], isDone: true })
  }),
)

/** A cookie of somebody who controls a sub-domain, or of an earlier version with other attributes. */
const plant = fc
  .tuple(place, fc.constantFrom("signed-out", "session"), fc.nat(3), fc.boolean())
  .map(([where, what, index, hasPath]) =>
    createOperation(
      `${describePlace(where)}: plant cookie of ${what} ${index}, ${hasPath ? "path" : "domain"}`,
      async (sequence) => {
        const { agent, history, log } = openPlace(sequence, where)
        const attributes = hasPath
          ? `Path=${basePaths[where.application]}`
          : "Domain=app.example; Path=/"
        const sessions = history.signIns.flatMap(({ cookie }) => cookie ?? [])
        const future = Math.floor(Date.now() / 1000) + 1_000_000
        const name = toCookieName(where.application).replace("__Secure-", "__Host-")
        const cookie =
          what === "session"
            ? sessions.at(index % Math.max(1, sessions.length))
            : `${name.replace("session-token", "signed-out")}=${future}`
        if (cookie === undefined) return
        agent.cookies.setUnchecked(agent.origin, `${cookie}; ${attributes}; Secure; HttpOnly`)
        if (what === "session") log({ kind: "plant", sent: [], isDone: true })
      },
    ),
  )

export const operationsInBrowsers: fc.WeightedArbitrary<Operation>[] = [
  { weight: 5, arbitrary: signInWithPassword },
  { weight: 3, arbitrary: signInWithProvider },
  { weight: 3, arbitrary: signOut },
  { weight: 2, arbitrary: check },
  { weight: 2, arbitrary: plant },
]
