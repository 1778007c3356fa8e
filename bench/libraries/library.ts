/** What is measured: a library, set up in the two ways that keep people signed in. */
import type { RequestListener } from "node:http"
import type { HttpRequest, HttpResponse, SendRequest } from "../http.ts"

/** `sealed`: nothing is stored (or, for server-side sessions, in memory); `stored`: sessions are rows in SQLite. */
export type SessionStorage = "sealed" | "stored"

/** How a person signs in with the provider. */
export interface OAuthSteps {
  /** The request that begins a sign-in. */
  readonly startRequest: HttpRequest
  /** The URL that the answer sends the browser to. */
  readAuthorizationUrl(response: HttpResponse): string | undefined
}

/** A library, set up. */
export interface Site {
  /** In process. */
  readonly send: SendRequest
  /** The same for Express. */
  readonly listener: RequestListener
  /** Makes cookies of the signed-in person: each of a session of its own. */
  createSessionCookies(count: number): Promise<readonly string[]>
  /** Makes the cookies that every browser of a signed-in person has besides, if there are such. */
  readonly createOtherCookies?: () => Promise<string>
  /** A cookie whose session has claims of about so many bytes, if there is such a thing. */
  readonly createCookieWithClaims?: (bytes: number) => Promise<string>
  /** Who is signed in: the question that a page of the application asks, in the library's own way. In process only. */
  readonly readUserEmail?: (cookie: string) => Promise<string | undefined>
  /** The request that tells who is signed in. */
  readonly sessionRequest: HttpRequest
  /** A page of the application that asks the library who is signed in; over Express only. */
  readonly pageRequest: HttpRequest
  /** A page that asks nobody, for comparison. */
  readonly publicPageRequest?: HttpRequest
  readonly csrfRequest?: HttpRequest
  readonly signInPageRequest?: HttpRequest
  /** Makes the requests that sign the person in with a password. */
  createCredentialsRequest(): Promise<HttpRequest>
  createOAuthSteps(): Promise<OAuthSteps>
}

/** A library that can be set up for an origin. */
export interface Library {
  readonly name: string
  /** npm packages whose versions belong to the results. */
  readonly packages: readonly string[]
  /** @param folder for databases, to be thrown away */
  openSite(kind: SessionStorage, origin: string, folder: string): Promise<Site>
  /**
   * Gives a site whose sessions are rows of `@latchkey/sql`, if the library takes that adapter: everything below the
   * libraries is the same then.
   *
   * @param storedSite the site of that kind, which may be such a one
   */
  openSharedStoreSite?(storedSite: Site, origin: string, folder: string): Promise<Site>
}
