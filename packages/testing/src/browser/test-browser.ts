import type { AuthorizationResponse } from "../provider/authorization-response.ts"
import { sendOverNetwork } from "./network-transport.ts"
import type { BrowserOptions, FetchHandler } from "./user-agent.ts"
import { UserAgent } from "./user-agent.ts"

/** The response of the session endpoint. */
export interface SessionResponse {
  user?: { id?: string; name?: string | null; email?: string | null; image?: string | null }
  expires: string
  [member: string]: unknown
}

/** A provider that can approve a sign-in at once, such as a `ScriptedProvider`. */
export interface ApprovingProvider {
  readonly id: string
  approve(authorizationUrl: URL): AuthorizationResponse
}

/** A user's browser, for applications that use Latchkey. */
export class TestBrowser extends UserAgent {
  readonly #basePath: string
  #providerTypes: Map<string, string> | undefined

  constructor(app: FetchHandler, options: BrowserOptions = {}) {
    super(app, options)
    this.#basePath = (options.basePath ?? "/auth").replace(/\/$/, "")
  }

  /** Fetches a CSRF token, which also sets its cookie. */
  async getCsrfToken(): Promise<string> {
    const { csrfToken } = await this.#fetchJson<{ csrfToken: string }>("csrf")
    return csrfToken
  }

  /** Fetches the session. @throws Error if the status is not 200, so that an outage is not mistaken for "signed out" */
  getSession(): Promise<SessionResponse | null> {
    return this.#fetchJson<SessionResponse | null>("session")
  }

  /**
   * Starts a sign-in and returns the URL of the provider. `fields` are added to the body (`callbackUrl`, `link`),
   * `query` to the URL. @throws Error if the application does not redirect to the provider
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
      `Signing in with ${id} did not redirect to the provider: ${await describeResponse(response)}`,
    )
  }

  /**
   * Signs in as the sign-in page does: completely with a provider that can approve, with `fields` as the form of a
   * credentials provider or with the `code` of an e-mail, or otherwise the first step, such as requesting an e-mail.
   * Returns the last response.
   */
  async signIn(
    provider: string | ApprovingProvider,
    fields: Record<string, string> = {},
  ): Promise<Response> {
    if (typeof provider !== "string") {
      return this.open(provider.approve(await this.startSignIn(provider, fields)))
    }
    const type = await this.#getProviderType(provider)
    const isComplete = type === "credentials" || (type === "email" && fields["code"] !== undefined)
    return this.#submitForm(`${isComplete ? "callback" : "signin"}/${provider}`, fields)
  }

  /** Signs out with the form of the application's own page. */
  signOut(fields: Record<string, string> = {}): Promise<Response> {
    return this.#submitForm("signout", fields)
  }

  /** Updates the session with data. */
  updateSession(data: unknown): Promise<Response> {
    return this.getCsrfToken().then((csrfToken) =>
      this.fetch(this.getRoutePath("session"), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data }),
      }),
    )
  }

  /** Returns the path of an endpoint, such as `/auth/signin/scripted`. */
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

  /** The caller declares the type of the body, which is not checked. */
  async #fetchJson<Body>(route: string): Promise<Body> {
    const response = await this.fetch(this.getRoutePath(route))
    if (response.status === 200) return (await response.json()) as Body
    throw new Error(`GET ${this.getRoutePath(route)} failed: ${await describeResponse(response)}`)
  }
}

/**
 * Creates a browser for an application: a function from `Request` to `Response`, or the address of a server.
 *
 * @example
 * const alice = createTestBrowser((request) => Auth(request, config))
 * await alice.signIn(provider)
 * expect(await alice.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
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
