/** The least possible work, measured like a library. */
import { createPublicKey, type KeyObject } from "node:crypto"
import { join } from "node:path"
import type { StatementSync } from "node:sqlite"
import { encode } from "@latchkey/core/jwt"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createHandlerSender, type HttpRequest, type HttpResponse } from "../../http.ts"
import { providerClient } from "../../provider.ts"
import { password, secret, testUser } from "../../test-user.ts"
import {
  createStoredSessionCookies,
  openSqliteAdapter,
  sessionCookieName,
} from "../authjs-compatible.ts"
import type { Library, Site } from "../library.ts"
import { hashFormToken, type LimitState, limitActions } from "./actions.ts"
import { createSeal } from "./seal.ts"

/** Cookie header in, text out. */
export const limitLibrary: Library = createLimitLibrary(
  (answer) => async (request) => answer(request),
)

/** `Request` in, `Response` out, as the libraries are called in process. */
export const limitWebLibrary: Library = createLimitLibrary((answer, origin) =>
  createHandlerSender(origin, async (request) =>
    toResponse(answer(await toHttpRequest(request, origin))),
  ),
)

type Answer = (request: HttpRequest) => HttpResponse

function createLimitLibrary(wrap: (answer: Answer, origin: string) => Site["send"]): Library {
  return {
    packages: [],
    transports: ["process"],
    hasStoredSessions: true,
    async openSite(storage, origin, folder) {
      const store = storage === "stored" ? await openStore(folder) : undefined
      const state = await prepareState(origin, store?.selectSession)
      const send = wrap((request) => answerRequest(state, request), origin)
      return createSite(send, store?.createSessionCookies ?? createSealedCookies)
    },
  }
}

function answerRequest(state: LimitState, request: HttpRequest): HttpResponse {
  const action = limitActions.get(request.path.split("?", 1)[0] ?? "")
  if (!action) throw new TypeError(`Nobody answers ${request.path}`)
  return action(state, request)
}

async function prepareState(
  origin: string,
  selectSession: StatementSync | undefined,
): Promise<LimitState> {
  const sessionToken = await encode({ token: {}, secret, salt: sessionCookieName })
  const [header = ""] = sessionToken.split(".")
  return {
    origin,
    sessionSeal: createSeal(secret, sessionCookieName, header),
    transactionSeal: createSeal(secret, "transaction", header),
    selectSession,
    ...(await fetchProviderDocuments()),
  }
}

async function fetchProviderDocuments(): Promise<{
  providerKey: KeyObject
  tokenResponse: string
}> {
  const keys = await fetch(`${providerClient.issuer}/jwks`)
  const [key] = (await keys.json()).keys
  const code = Buffer.from(JSON.stringify({ nonce: null })).toString("base64url")
  const body = new URLSearchParams({ code })
  const tokens = await fetch(`${providerClient.issuer}/token`, { method: "POST", body })
  return {
    providerKey: createPublicKey({ key, format: "jwk" }),
    tokenResponse: await tokens.text(),
  }
}

/** The same rows, read with the same statement, as in `@latchkey/sql`. */
async function openStore(folder: string) {
  const adapter = await openSqliteAdapter(folder)
  const database = openSqlite(join(folder, "contract.db"))
  return {
    createSessionCookies: (count: number) => createStoredSessionCookies(adapter, count),
    selectSession: database.prepare(`
      select "User"."id", "name", "email", "emailVerified", "image",
        "sessionToken" as "$sessionToken", "expires" as "$expires"
      from "Session" inner join "User" on "User"."id" = "Session"."userId"
      where "sessionToken" = ?
    `),
  }
}

/** The same cookies as those of Latchkey. */
async function createSealedCookies(count: number): Promise<readonly string[]> {
  const { id: sub, name, email, image: picture } = testUser
  const cookies: string[] = []
  while (cookies.length < count) {
    const token = { name, email, picture, sub }
    cookies.push(`${sessionCookieName}=${await encode({ token, secret, salt: sessionCookieName })}`)
  }
  return cookies
}

function createSite(send: Site["send"], createSessionCookies: Site["createSessionCookies"]): Site {
  const csrfToken = "a token of the benchmark".padEnd(64, "-")
  const cookie = `csrf=${csrfToken}|${hashFormToken(csrfToken)}`
  const sessionRequest: HttpRequest = { method: "GET", path: "/session" }
  return {
    send,
    createSessionCookies,
    createOtherCookies: async () => cookie,
    sessionRequest,
    pageRequest: sessionRequest,
    createCredentialsRequest: async () => ({
      method: "POST",
      path: "/signin/password",
      cookie,
      form: { csrfToken, email: testUser.email, password },
    }),
    createOAuthSteps: async () => ({
      startRequest: { method: "POST", path: "/signin/id", cookie, form: { csrfToken } },
      readAuthorizationUrl: (response) => response.location,
    }),
  }
}

async function toHttpRequest(request: Request, origin: string): Promise<HttpRequest> {
  const cookie = request.headers.get("cookie") ?? ""
  const path = request.url.slice(origin.length)
  if (request.method === "GET") return { method: "GET", path, cookie }
  const form = Object.fromEntries(new URLSearchParams(await request.text()))
  return { method: "POST", path, cookie, form }
}

function toResponse({ status, body, location, setCookies }: HttpResponse): Response {
  const headers = new Headers({ "content-type": "application/json" })
  if (location !== undefined) headers.set("location", location)
  for (const cookie of setCookies) headers.append("set-cookie", cookie)
  return new Response(body, { status, headers })
}
