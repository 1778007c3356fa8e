/** A site with every way to sign in: a provider, a password and a link by e-mail; a real database, a log that is kept. */
import { Auth, type AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  type App,
  type Browser,
  type BrowserOptions,
  browser,
  type ScriptedProvider,
  scriptedProvider,
} from "@latchkey/testing"
import { onTestFinished } from "vitest"
import { type KeptLog, keptLog } from "./kept-log.ts"

/** A configuration without `raw`: `Auth` answers with a `Response`. */
export type SiteConfig = Omit<AuthConfig, "raw">

export const siteSecret = "the secret of the site that is tested"
export const home = "https://app.example"

export interface Site {
  readonly config: SiteConfig
  readonly app: App
  readonly provider: ScriptedProvider
  readonly log: KeptLog
  /** The links that were sent, in place of a mail server. */
  readonly links: string[]
  /** Opens a browser at the site. */
  visitor(options?: BrowserOptions): Browser
}

/** A site whose sessions are kept in cookies, unless `changes` says otherwise. */
export async function site(changes: Partial<SiteConfig> = {}): Promise<Site> {
  const provider = await scriptedProvider()
  const log = keptLog()
  const links: string[] = []
  const email = {
    id: "email",
    name: "Email",
    type: "email" as const,
    sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
  }
  const config: SiteConfig = {
    providers: [provider.asOidc(), passwords(), email],
    secret: siteSecret,
    trustHost: true,
    adapter: await databaseAdapter(),
    session: { strategy: "jwt" },
    logger: log.logger,
    ...changes,
  }
  const app: App = (request) => Auth(request, config)
  return { config, app, provider, log, links, visitor: (options) => browser(app, options) }
}

/** A site without a provider and a database: enough for what only the front door decides. */
export function bareSite(changes: Partial<SiteConfig> = {}) {
  const log = keptLog()
  const config: SiteConfig = {
    providers: [passwords()],
    secret: siteSecret,
    trustHost: true,
    logger: log.logger,
    ...changes,
  }
  const app: App = (request) => Auth(request, config)
  const visitor = (options?: BrowserOptions) => browser(app, options)
  return { config, app, log, visitor }
}

/** Lets anybody in who knows the word. */
export function passwords() {
  return credentials({
    credentials: { name: { label: "Name" }, word: { label: "Word", type: "password" } },
    authorize: ({ name, word }) =>
      word === "sesame" ? { id: `id-of-${name}`, name: String(name) } : null,
  })
}

/** What `passwords` lets in. */
export const rightWord = { name: "Ada", word: "sesame" }

/** An adapter on a new database in memory. */
export async function databaseAdapter() {
  const database = openSqlite(":memory:")
  onTestFinished(() => database.close())
  await migrate(database)
  return SqlAdapter(database)
}

/** Sends one request to a configuration. */
export function ask(config: SiteConfig, target: string, init?: RequestInit): Promise<Response> {
  return Auth(new Request(new URL(target, home), init), config)
}

/** Sends a form, without a browser's headers and cookies. */
export function post(
  config: SiteConfig,
  target: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return ask(config, target, { method: "POST", body: new URLSearchParams(fields), headers })
}

/** The path and query of a redirect inside the site, or the whole URL of one that leads out. */
export function leadsTo(answer: Response): string | null {
  const location = answer.headers.get("location")
  return location?.startsWith(`${home}/`) ? location.slice(home.length) : location
}
