/** What Latchkey and the reference library have in common: routes, forms, callbacks and the adapter contract. */
import { join } from "node:path"
import type { Adapter } from "@latchkey/core/adapters"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { type Ask, cookieHeader, type Send } from "../exchange.ts"
import { password, person } from "../person.ts"
import { client } from "../provider.ts"
import type { OAuthSteps, Site } from "./library.ts"

/** The session cookie of both, by http. */
export const sessionCookie = "authjs.session-token"

/** The provider as both know it. */
export const oidcProvider: {
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
  issuer: client.issuer,
  clientId: client.id,
  clientSecret: client.secret,
  checks: ["pkce", "state"],
}

/** The password provider of both. */
export const typed: {
  credentials: { email: { label: string }; password: { label: string; type: string } }
  authorize: typeof authorize
} = {
  credentials: { email: { label: "E-mail" }, password: { label: "Password", type: "password" } },
  authorize,
}

function authorize(fields: Partial<Record<string, unknown>>): typeof person | null {
  return fields["email"] === person.email && fields["password"] === password ? person : null
}

/** A database file with {@link SqlAdapter}, which both of them take. */
export async function openStore(folder: string): Promise<Adapter> {
  const database = openSqlite(join(folder, "contract.db"))
  database.exec("pragma synchronous = off") // filling it is not measured, and nothing else writes
  await migrate(database)
  return SqlAdapter(database)
}

/** Stores the person with a number of sessions. */
export async function storedCookies(
  adapter: Pick<Adapter, "getUserByEmail" | "createUser" | "createSession">,
  count: number,
): Promise<readonly string[]> {
  const user =
    (await adapter.getUserByEmail?.(person.email)) ??
    (await adapter.createUser?.({ ...person, emailVerified: null }))
  if (!user || !adapter.createSession) throw new TypeError("The adapter cannot store sessions")
  const expires = new Date(Date.now() + 2_592_000_000)
  const cookies: string[] = []
  for (let i = 0; i < count; i++) {
    const sessionToken = crypto.randomUUID()
    await adapter.createSession({ sessionToken, userId: user.id, expires })
    cookies.push(`${sessionCookie}=${sessionToken}`)
  }
  return cookies
}

/** Claims that no compression makes smaller. */
export function filler(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil((bytes * 3) / 4))))
    .toString("base64url")
    .slice(0, bytes)
}

/** A sealed session in as many cookies as it takes, cut where both of them can read it. */
export function inChunks(sealed: string): string {
  const size = 3900
  if (sealed.length <= size) return `${sessionCookie}=${sealed}`
  const count = Math.ceil(sealed.length / size)
  const parts = Array.from({ length: count }, (_, i) => sealed.slice(i * size, (i + 1) * size))
  return parts.map((part, i) => `${sessionCookie}.${i}=${part}`).join("; ")
}

/** What a browser has beside the session: the token of forms, and where it was going. */
export async function standingCookies(send: Send): Promise<string> {
  return cookieHeader(await send({ method: "GET", path: "/auth/csrf" }))
}

/** The requests that both of them answer. */
export function contractSteps(
  send: Send,
): Pick<Site, "session" | "page" | "csrf" | "signInPage" | "credentials" | "oauth"> {
  return {
    session: { method: "GET", path: "/auth/session" },
    page: { method: "GET", path: "/me" },
    csrf: { method: "GET", path: "/auth/csrf" },
    signInPage: { method: "GET", path: "/auth/signin" },
    credentials: () => credentialsAsk(send),
    oauth: () => oauthSteps(send),
  }
}

/** The request that signs the person in with a password. */
export async function credentialsAsk(send: Send): Promise<Ask> {
  const { cookie, csrfToken } = await csrfOf(send)
  const form = { csrfToken, email: person.email, password }
  return { method: "POST", path: "/auth/callback/credentials", cookie, form }
}

async function oauthSteps(send: Send): Promise<OAuthSteps> {
  const { cookie, csrfToken } = await csrfOf(send)
  return {
    begin: { method: "POST", path: "/auth/signin/id", cookie, form: { csrfToken } },
    urlOf: (reply) => reply.location,
  }
}

async function csrfOf(send: Send): Promise<{ cookie: string; csrfToken: string }> {
  const reply = await send({ method: "GET", path: "/auth/csrf" })
  const { csrfToken }: { csrfToken: string } = JSON.parse(reply.body)
  return { cookie: cookieHeader(reply), csrfToken }
}
