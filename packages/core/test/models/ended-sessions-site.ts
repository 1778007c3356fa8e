/** A host with two applications, of which one runs in several processes on one database: every call may be delayed. */
import { AsyncLocalStorage } from "node:async_hooks"
import {
  type AuthConfig,
  createAuth,
  customFetch,
  getSessionInfo,
  type LatchkeyAuth,
} from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, UserAgent } from "@latchkey/testing"
import { absoluteTimeout, idleTimeout, type SignIn } from "./ended-sessions-model.ts"
import { runUninterrupted, waitForTurn } from "./interleaving.ts"

/** `cookie` is the strategy `jwt` without records. */
export type Storage = "jwt" | "database" | "cookie"
export const applicationNames = ["main", "wiki"] as const
export type ApplicationName = (typeof applicationNames)[number]

export const origin = "https://app.example"

/** Where an application's endpoints are, and the common part of the names of its cookies. */
export const basePaths: Readonly<Record<ApplicationName, string>> = { main: "/auth", wiki: "/wiki" }
const cookieStems: Readonly<Record<ApplicationName, string>> = { main: "authjs", wiki: "wiki" }
export const toCookieName = (application: ApplicationName): string =>
  `__Secure-${cookieStems[application]}.session-token`

const tables = ["Session", "Account", "LatchkeySessionRecord", "LatchkeySessionChange", "User"]

/** A session as a process reads it. */
export interface ReadSession {
  readonly id: string
  readonly name: string
}

/** Of the sign-in that is under way. */
const proofs = new AsyncLocalStorage<{ checkedAt: number }>()

function markProof(): void {
  const proof = proofs.getStore()
  if (proof) proof.checkedAt = Math.min(proof.checkedAt, Date.now())
}

/** Returns the response to a sign-in, and when the application began to check its proof; `Infinity` if it did not. */
export async function observeSignIn(send: () => Promise<Response>) {
  const proof = { checkedAt: Infinity }
  const response = await proofs.run(proof, send)
  return { response, checkedAt: proof.checkedAt }
}

/** Delays an adapter's calls on the way there and back. */
function delayCalls(adapter: Adapter): Adapter {
  const delay =
    (method: (...parameters: never[]) => unknown) =>
    async (...parameters: never[]) => {
      await waitForTurn()
      try {
        return await method.apply(adapter, parameters)
      } finally {
        await waitForTurn()
      }
    }
  const entries = Object.entries(adapter).map(([name, member]) => [
    name,
    typeof member === "function" ? delay(member) : member,
  ])
  return Object.fromEntries(entries)
}

export async function createSite(storage: Storage) {
  const database = openSqlite(":memory:")
  database.exec(migrationSql("sqlite", { sessionRecords: true }))
  const openAdapter = () => SqlAdapter(database, { sessionRecords: true })
  const users = openAdapter()
  const provider = await createScriptedProvider({ alg: "ES256", refreshTokens: "none" })
  const isCookie = storage === "cookie"
  const ignore = (): void => undefined
  const common = {
    trustHost: true,
    attemptLimits: false as const,
    logger: { error: ignore, warn: ignore, debug: ignore },
  }
  const session = { idleTimeout, absoluteTimeout, updateAge: 0 }
  /** Other calls of the provider only fetch what is cached. */
  const fetchDelayed: typeof fetch = async (...parameters) => {
    const isTokenRequest = String(parameters[0]).startsWith(provider.endpoints.token)
    if (isTokenRequest) {
      markProof()
      await waitForTurn()
    }
    const response = await runUninterrupted(() => provider.fetch(...parameters))
    if (isTokenRequest) await waitForTurn()
    return response
  }
  /** Names of users whom the provider sign-in created again, after they were deleted. */
  const recreated = new Set<string>()
  const callbacks: AuthConfig["callbacks"] = {
    async signIn() {
      await waitForTurn()
      return true
    },
    async redirect({ url }) {
      await waitForTurn()
      return url
    },
    async jwt({ token, trigger }) {
      if (trigger) await waitForTurn()
      return token
    },
  }
  const startProcess = (adapter: Adapter, isDelayed: boolean): LatchkeyAuth =>
    createAuth({
      ...common,
      adapter,
      secret: "a secret of the main application: 1",
      session: {
        ...session,
        strategy: storage === "database" ? "database" : "jwt",
        ...(!isCookie && { records: { pollInterval: 0 } }),
      },
      providers: [
        credentials({
          credentials: { name: {} },
          async authorize({ name }) {
            markProof()
            return (await adapter.getUser?.(`user-${name}`)) ?? null
          },
        }),
        provider.asOidc({
          client: { id_token_signed_response_alg: "ES256" },
          [customFetch]: fetchDelayed,
        }),
      ],
      events: { createUser: ({ user }) => void recreated.add(String(user.name)) },
      ...(isDelayed && { callbacks }),
    })
  const processes = [openAdapter(), openAdapter()].map((each) =>
    startProcess(delayCalls(each), true),
  )
  const observer = startProcess(users, false)
  const wiki = createAuth({
    ...common,
    basePath: basePaths.wiki,
    secret: "a secret of the wiki, another one: 2",
    cookies: { sessionToken: { name: toCookieName("wiki") } },
    session: { ...session, strategy: "jwt" },
    providers: [
      credentials({
        credentials: { name: {} },
        async authorize({ name }) {
          markProof()
          await waitForTurn()
          return { id: `user-${name}`, name: String(name) }
        },
      }),
    ],
  })
  const getProcess = (index: number): LatchkeyAuth => processes[index] ?? observer

  return {
    provider,
    processes,
    startFreshProcess: () => startProcess(openAdapter(), false),
    getProcess,
    /** The process that takes part in no operation. */
    observers: { main: observer, wiki },
    hasRecords: !isCookie,
    hasStoredSessions: storage === "database",
    createLogoutToken: (claims: Record<string, string>) =>
      runUninterrupted(() => provider.createLogoutToken(claims)),
    /** Not certain if the provider sign-in may be of another user with the same name, who was created after a deletion. */
    isCertain: ({ user, method }: Pick<SignIn, "user" | "method">): true | "maybe" =>
      method === "password" || !recreated.has(user) || "maybe",
    /** Deletes everything, and stores users with an account of the provider. */
    async reset(names: readonly string[]): Promise<void> {
      for (const table of tables) database.exec(`delete from "${table}"`)
      provider.clearRequests()
      for (const name of names) {
        const user = { id: `user-${name}`, name, email: `${name}@example.com`, emailVerified: null }
        await users.createUser(user)
        const account = { provider: provider.id, providerAccountId: name, type: "oidc" as const }
        await users.linkAccount({ ...account, userId: user.id })
      }
    },
    hasUser: async (name: string) => (await users.getUser(`user-${name}`)) !== null,
    /** Opens a browser whose requests name the process that handles them. */
    openBrowser: () =>
      new UserAgent(async (request) => {
        const isWiki = new URL(request.url).pathname.startsWith(`${basePaths.wiki}/`)
        const auth = isWiki ? wiki : getProcess(Number(request.headers.get("x-process")))
        await waitForTurn()
        const response = await auth.handle(request)
        await waitForTurn()
        return response
      }),
  }
}

export type Site = Awaited<ReturnType<typeof createSite>>

/** Reads the session of cookies, and changes nothing. */
export async function readSession(
  auth: LatchkeyAuth,
  application: ApplicationName,
  cookie: string,
): Promise<ReadSession | null> {
  const request = {
    headers: new Headers({ cookie }),
    url: `${origin}${basePaths[application]}/session`,
  }
  const { session } = await auth.getSession(request, { canSetCookies: false })
  const id = session && getSessionInfo(session)?.id
  return id ? { id, name: String(session.user?.name) } : null
}

/** Returns the cookies that a browser sends to an application. */
export function getCookies(browser: UserAgent, application: ApplicationName): string {
  const url = new URL(`${origin}${basePaths[application]}/session`)
  const context = { url, isCrossSite: false, isNavigation: true, isSafeNavigation: true }
  return browser.cookies.getCookieHeader(context) ?? ""
}

/** Returns the session cookies of an application that a browser sends. */
export const listSessionCookies = (browser: UserAgent, application: ApplicationName): string[] =>
  getCookies(browser, application)
    .split("; ")
    .filter((pair) => pair.startsWith(`${toCookieName(application)}=`))
