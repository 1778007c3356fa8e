/** A site with every way to sign in: a provider, a password and a link by e-mail; a real database, a log that is kept. */
import { Auth, type AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { SqlAdapter } from "@latchkey/sql"
import {
  type BrowserOptions,
  createScriptedProvider,
  createTestBrowser,
  type FetchHandler,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import { onTestFinished } from "vitest"
import { createMemoryLog, type MemoryLog } from "./memory-log.ts"
import { openMigratedDatabase } from "./migrated-database.ts"

/** A configuration without `raw`, for which `Auth` returns a `Response`. */
export type TestSiteConfig = Omit<AuthConfig, "raw">

export const testSiteSecret = "the secret of the site that is tested"
export const siteOrigin = "https://app.example"

export interface TestSite {
  readonly config: TestSiteConfig
  readonly app: FetchHandler
  readonly provider: ScriptedProvider
  readonly log: MemoryLog
  /** The links that were sent, in place of a mail server. */
  readonly links: string[]
  /** Opens a browser at the site. */
  openBrowser(options?: BrowserOptions): TestBrowser
}

/** A site with cookie sessions, unless `changes` says otherwise. */
export async function createTestSite(changes: Partial<TestSiteConfig> = {}): Promise<TestSite> {
  const provider = await createScriptedProvider()
  const log = createMemoryLog()
  const links: string[] = []
  const email = {
    id: "email",
    name: "Email",
    type: "email" as const,
    sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
  }
  const config: TestSiteConfig = {
    providers: [provider.asOidc(), passwordProvider(), email],
    secret: testSiteSecret,
    trustHost: true,
    adapter: await createDatabaseAdapter(),
    session: { strategy: "jwt" },
    logger: log.logger,
    ...changes,
  }
  const app: FetchHandler = (request) => Auth(request, config)
  return {
    config,
    app,
    provider,
    log,
    links,
    openBrowser: (options) => createTestBrowser(app, options),
  }
}

/** A site without a provider and a database, for requests that are refused before either matters. */
export function createMinimalSite(changes: Partial<TestSiteConfig> = {}) {
  const log = createMemoryLog()
  const config: TestSiteConfig = {
    providers: [passwordProvider()],
    secret: testSiteSecret,
    trustHost: true,
    logger: log.logger,
    ...changes,
  }
  const app: FetchHandler = (request) => Auth(request, config)
  const openBrowser = (options?: BrowserOptions) => createTestBrowser(app, options)
  return { config, app, log, openBrowser }
}

/** Lets anybody in who knows the word. */
export function passwordProvider() {
  return credentials({
    credentials: { name: { label: "Name" }, word: { label: "Word", type: "password" } },
    authorize: ({ name, word }) =>
      word === "sesame" ? { id: `id-of-${name}`, name: String(name) } : null,
  })
}

/** The credentials that `passwordProvider` accepts. */
export const validCredentials = { name: "Ada", word: "sesame" }

/** An adapter on a new database in memory. */
export async function createDatabaseAdapter() {
  const database = openMigratedDatabase()
  onTestFinished(() => database.close())
  return SqlAdapter(database, { secondFactor: true })
}

/** Sends one request to a configuration. */
export function sendRequest(
  config: TestSiteConfig,
  target: string,
  init?: RequestInit,
): Promise<Response> {
  return Auth(new Request(new URL(target, siteOrigin), init), config)
}

/** Sends a form, without a browser's headers and cookies. */
export function postForm(
  config: TestSiteConfig,
  target: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return sendRequest(config, target, { method: "POST", body: new URLSearchParams(fields), headers })
}

/** The path and query of a redirect inside the site, or the whole URL of one that leads out. */
export function getRedirectTarget(response: Response): string | null {
  const location = response.headers.get("location")
  return location?.startsWith(`${siteOrigin}/`) ? location.slice(siteOrigin.length) : location
}
