/** The interface of a measured library, with sessions in cookies or in a database. */
import type { RequestListener } from "node:http"
import type { HttpRequest, HttpResponse, SendRequest } from "../http.ts"
import type { Transport } from "../process/commands.ts"

/** `sealed`: nothing is stored (or, for server-side sessions, in memory); `stored`: sessions are rows in SQLite. */
export type SessionStorage = "sealed" | "stored"

/** The steps of a sign-in with the provider. */
export interface OAuthSteps {
  /** The request that starts a sign-in. */
  readonly startRequest: HttpRequest
  /** Returns the URL of a response's redirect. */
  readAuthorizationUrl(response: HttpResponse): string | undefined
}

/** A configured library. */
export interface Site {
  /** In process. */
  readonly send: SendRequest
  /** A handler for Express. In libraries that do not run on it, undefined. */
  readonly listener?: RequestListener
  /** Creates session cookies of the user, each with its own session. */
  createSessionCookies(count: number): Promise<readonly string[]>
  /** Creates the other cookies of a signed-in browser, if there are any. */
  readonly createOtherCookies?: () => Promise<string>
  /** Creates a cookie with claims of about the given size in bytes, if supported. */
  readonly createCookieWithClaims?: (bytes: number) => Promise<string>
  /** Reads the session as a page of the application does, with the library's own function. In process only. */
  readonly readUserEmail?: (cookie: string) => Promise<string | undefined>
  /** The request for the session. */
  readonly sessionRequest: HttpRequest
  /** The request for a page that checks the session; over Express only. */
  readonly pageRequest: HttpRequest
  /** The request for a page with the same content, but without a session check, for comparison. */
  readonly publicPageRequest?: HttpRequest
  readonly csrfRequest?: HttpRequest
  readonly signInPageRequest?: HttpRequest
  /** Creates the requests that sign in with a password, if the library or the application can do so. */
  readonly createCredentialsRequest?: () => Promise<HttpRequest>
  /** Starts a sign-in with the provider, if supported. */
  readonly createOAuthSteps?: () => Promise<OAuthSteps>
}

/** A library that can be configured for an origin. */
export interface Library {
  /** The npm packages whose versions are part of the results. */
  readonly packages: readonly string[]
  /** The transports with which it is measured. Default: both. */
  readonly transports?: readonly Transport[]
  /** Whether its sessions are also measured as rows in SQLite. */
  readonly hasStoredSessions: boolean
  /** @param folder a temporary folder for databases */
  openSite(kind: SessionStorage, origin: string, folder: string): Promise<Site>
  /**
   * Opens a site whose sessions are rows of `@latchkey/sql`, if the library supports that adapter, so that only the
   * libraries differ.
   *
   * @param storedSite the site with database sessions, which may already use it
   */
  openSharedStoreSite?(storedSite: Site, origin: string, folder: string): Promise<Site>
  /** Opens a site with three OAuth providers and passwords, if the library has a sign-in page. */
  openFourProviderSite?(origin: string): Promise<Site>
}
