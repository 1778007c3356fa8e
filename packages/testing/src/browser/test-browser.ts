import type { AuthorizationResponse } from "../provider/authorization-response.ts"
import { sendOverNetwork } from "./network-transport.ts"
import type { BrowserOptions, FetchHandler } from "./user-agent.ts"
import { UserAgent } from "./user-agent.ts"

/** A session as the session endpoint gives it out. */
export interface SessionResponse {
  user?: { id?: string; name?: string | null; email?: string | null; image?: string | null }
  expires: string
  [member: string]: unknown
}

/** A provider at which the person can say yes on the spot, such as a `ScriptedProvider`. */
export interface ApprovingProvider {
  readonly id: string
  approve(authorizationUrl: URL): AuthorizationResponse
}

/** A person's browser, at an application that uses the library. */
export class TestBrowser extends UserAgent {
  readonly #basePath: string
  #providerTypes: Map<string, string> | undefined

  constructor(app: FetchHandler, options: BrowserOptions = {}) {
    super(app, options)
    this.#basePath = (options.basePath ?? "/auth").replace(/\/$/, "")
  }

  /** Fetches a CSRF token, which brings its cookie along. */
  async getCsrfToken(): Promise<string> {
    const { csrfToken } = await this.#fetchJson<{ csrfToken: string }>("csrf")
    return csrfToken
  }

  /** Asks for the session. @throws Error when the answer is no 200: a fault is never read as "signed out" */
  getSession(): Promise<SessionResponse | null> {
    return this.#fetchJson<SessionResponse | null>("session")
  }

  /**
   * Begins a sign-in and gives the URL at the provider that the application redirects to. `fields` go into the body
   * beside the CSRF token (`callbackUrl`, `link`), `query` into the URL. @throws Error when it does not redirect there
   */
  async startSignIn(
    provider: string | { readonly id: string },
    fields: Record<string, string> = {},
    query: Record<string, string> = {},
  ): Promise<URL> {
    const id = typeof provider === "string" ? provider : provider.id
    const search = new URLSearchParams(query).toString()
    const response = await this.#submitForm(`signin/${id}${search && `?${search}`}`, fields)
    const url = new URL(response.headers.get("location") ?? "", this.origin)
    if (response.status === 302 && url.origin !== this.origin) return url
    throw new Error(
      `Signing in with ${id} did not lead to the provider: ${await describeResponse(response)}`,
    )
  }

  /**
   * Signs in as the sign-in page would have it. With a provider that can approve, the whole round; with the id of a
   * credentials provider, the form with `fields`; else the first step, such as asking for a mail. Gives the last answer.
   */
  async signIn(
    provider: string | ApprovingProvider,
    fields: Record<string, string> = {},
  ): Promise<Response> {
    if (typeof provider !== "string") {
      return this.open(provider.approve(await this.startSignIn(provider, fields)))
    }
    const action = (await this.#getProviderType(provider)) === "credentials" ? "callback" : "signin"
    return this.#submitForm(`${action}/${provider}`, fields)
  }

  /** Signs out with the form of the application's own page. */
  signOut(fields: Record<string, string> = {}): Promise<Response> {
    return this.#submitForm("signout", fields)
  }

  /** Sends data with the session's update method. */
  updateSession(data: unknown): Promise<Response> {
    return this.getCsrfToken().then((csrfToken) =>
      this.fetch(this.getRoutePath("session"), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data }),
      }),
    )
  }

  /** Gives the path of one of the library's routes, such as `/auth/signin/scripted`. */
  getRoutePath(route: string): string {
    return `${this.#basePath}/${route}`
  }

  async #submitForm(route: string, fields: Record<string, string>): Promise<Response> {
    return this.post(this.getRoutePath(route), { csrfToken: await this.getCsrfToken(), ...fields })
  }

  async #getProviderType(id: string): Promise<string | undefined> {
    if (!this.#providerTypes) {
      const providers = await this.#fetchJson<Record<string, { type: string }>>("providers")
      this.#providerTypes = new Map(
        Object.entries(providers).map(([name, { type }]) => [name, type]),
      )
    }
    return this.#providerTypes.get(id)
  }

  /** The caller says what the endpoint promises; a test that got something else fails where it looks at it. */
  async #fetchJson<Body>(route: string): Promise<Body> {
    const response = await this.fetch(this.getRoutePath(route))
    if (response.status === 200) return (await response.json()) as Body
    throw new Error(`GET ${this.getRoutePath(route)} failed: ${await describeResponse(response)}`)
  }
}

/**
 * Opens a browser at an application: a function from `Request` to `Response`, or the address of a server.
 *
 * @example
 * const alice = browser((request) => Auth(request, config))
 * await alice.signIn(provider)
 * expect(await alice.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
 */
export function createTestBrowser(
  app: FetchHandler | string | URL,
  options: BrowserOptions = {},
): TestBrowser {
  if (typeof app === "function") return new TestBrowser(app, options)
  return new TestBrowser(sendOverNetwork, { origin: new URL(app).origin, ...options })
}

async function describeResponse(response: Response): Promise<string> {
  const location = response.headers.get("location")
  return `${response.status} ${location ?? (await response.text()).slice(0, 200)}`
}
