/** The benchmark site of Latchkey and Auth.js, which share routes, forms, callbacks and adapters. */
import { join } from "node:path"
import type { Adapter } from "@latchkey/core/adapters"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createCookieHeader, type HttpRequest, type SendRequest } from "../http.ts"
import { providerClient } from "../provider.ts"
import { password, testUser } from "../test-user.ts"
import type { OAuthSteps, Site } from "./library.ts"

/** The session cookie of both, over http. */
export const sessionCookieName = "authjs.session-token"

/** The provider definition of both. */
export const oidcProviderConfig: {
  id: string
  name: string
  type: "oidc"
  issuer: string
  clientId: string
  clientSecret: string
  checks: ("pkce" | "state")[]
} = {
  id: "id",
  name: "Example ID",
  type: "oidc",
  issuer: providerClient.issuer,
  clientId: providerClient.id,
  clientSecret: providerClient.secret,
  checks: ["pkce", "state"],
}

/** The options of all other OAuth providers of both. */
export const otherProviderOptions: { clientId: string; clientSecret: string } = {
  clientId: providerClient.id,
  clientSecret: providerClient.secret,
}

/** The password provider of both. */
export const credentialsOptions: {
  credentials: { email: { label: string }; password: { label: string; type: string } }
  authorize: typeof authorizeTestUser
} = {
  credentials: { email: { label: "E-mail" }, password: { label: "Password", type: "password" } },
  authorize: authorizeTestUser,
}

function authorizeTestUser(fields: Partial<Record<string, unknown>>): typeof testUser | null {
  return fields["email"] === testUser.email && fields["password"] === password ? testUser : null
}

/** A database file with {@link SqlAdapter}, which both of them support. */
export async function openSqliteAdapter(folder: string): Promise<Adapter> {
  const database = openSqlite(join(folder, "contract.db"))
  database.exec("pragma synchronous = off") // filling it is not measured, and nothing else writes
  await migrate(database)
  return SqlAdapter(database)
}

/** Stores the user with a number of sessions. */
export async function createStoredSessionCookies(
  adapter: Pick<Adapter, "getUserByEmail" | "createUser" | "createSession">,
  count: number,
): Promise<readonly string[]> {
  const user =
    (await adapter.getUserByEmail?.(testUser.email)) ??
    (await adapter.createUser?.({ ...testUser, emailVerified: null }))
  if (!user || !adapter.createSession) throw new TypeError("The adapter cannot store sessions")
  const expires = new Date(Date.now() + 2_592_000_000)
  const cookies: string[] = []
  for (let i = 0; i < count; i++) {
    const sessionToken = crypto.randomUUID()
    await adapter.createSession({ sessionToken, userId: user.id, expires })
    cookies.push(`${sessionCookieName}=${sessionToken}`)
  }
  return cookies
}

/** Claims that cannot be compressed. */
export function createFiller(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil((bytes * 3) / 4))))
    .toString("base64url")
    .slice(0, bytes)
}

/** Creates a session token in several cookies, split so that both libraries can read it. */
export function createChunkedCookie(token: string): string {
  const size = 3900
  if (token.length <= size) return `${sessionCookieName}=${token}`
  const count = Math.ceil(token.length / size)
  const parts = Array.from({ length: count }, (_, i) => token.slice(i * size, (i + 1) * size))
  return parts.map((part, i) => `${sessionCookieName}.${i}=${part}`).join("; ")
}

/** The other cookies of a browser: the CSRF token and the callback URL. */
export async function fetchOtherCookies(send: SendRequest): Promise<string> {
  return createCookieHeader(await send({ method: "GET", path: "/auth/csrf" }))
}

/** The requests that both support. */
export function createAuthjsRequests(
  send: SendRequest,
): Pick<
  Site,
  | "sessionRequest"
  | "pageRequest"
  | "csrfRequest"
  | "signInPageRequest"
  | "createCredentialsRequest"
  | "createOAuthSteps"
> {
  return {
    sessionRequest: { method: "GET", path: "/auth/session" },
    pageRequest: { method: "GET", path: "/me" },
    csrfRequest: { method: "GET", path: "/auth/csrf" },
    signInPageRequest: { method: "GET", path: "/auth/signin" },
    createCredentialsRequest: () => createCredentialsRequest(send),
    createOAuthSteps: () => createOAuthSteps(send),
  }
}

/** Creates the request that signs in with a password. */
export async function createCredentialsRequest(send: SendRequest): Promise<HttpRequest> {
  const { cookie, csrfToken } = await fetchCsrfToken(send)
  const form = { csrfToken, email: testUser.email, password }
  return { method: "POST", path: "/auth/callback/credentials", cookie, form }
}

async function createOAuthSteps(send: SendRequest): Promise<OAuthSteps> {
  const { cookie, csrfToken } = await fetchCsrfToken(send)
  return {
    startRequest: { method: "POST", path: "/auth/signin/id", cookie, form: { csrfToken } },
    readAuthorizationUrl: (response) => response.location,
  }
}

async function fetchCsrfToken(send: SendRequest): Promise<{ cookie: string; csrfToken: string }> {
  const response = await send({ method: "GET", path: "/auth/csrf" })
  const { csrfToken }: { csrfToken: string } = JSON.parse(response.body)
  return { cookie: createCookieHeader(response), csrfToken }
}
