import type { Comeback } from "../provider/comeback.ts"
import { overNetwork } from "./over-network.ts"
import type { App, BrowserOptions } from "./user-agent.ts"
import { UserAgent } from "./user-agent.ts"

/** A session as the session endpoint gives it out. */
export interface VisibleSession {
  user?: { id?: string; name?: string | null; email?: string | null; image?: string | null }
  expires: string
  [member: string]: unknown
}

/** A provider at which the person can say yes on the spot, such as a `ScriptedProvider`. */
export interface Approver {
  readonly id: string
  approve(authorizationUrl: URL): Comeback
}

/** A person's browser, at an application that uses the library. */
export class Browser extends UserAgent {
  readonly #basePath: string
  #types: Map<string, string> | undefined

  constructor(app: App, options: BrowserOptions = {}) {
    super(app, options)
    this.#basePath = (options.basePath ?? "/auth").replace(/\/$/, "")
  }

  /** Fetches a CSRF token, which brings its cookie along. */
  async csrf(): Promise<string> {
    const { csrfToken } = await this.#json<{ csrfToken: string }>("csrf")
    return csrfToken
  }

  /** Asks for the session. @throws Error when the answer is no 200: a fault is never read as "signed out" */
  session(): Promise<VisibleSession | null> {
    return this.#json<VisibleSession | null>("session")
  }

  /**
   * Begins a sign-in and gives the URL at the provider that the application redirects to. `fields` go into the body
   * beside the CSRF token (`callbackUrl`, `link`), `query` into the URL. @throws Error when it does not redirect there
   */
  async begin(
    provider: string | { readonly id: string },
    fields: Record<string, string> = {},
    query: Record<string, string> = {},
  ): Promise<URL> {
    const id = typeof provider === "string" ? provider : provider.id
    const search = new URLSearchParams(query).toString()
    const response = await this.#submit(`signin/${id}${search && `?${search}`}`, fields)
    const url = new URL(response.headers.get("location") ?? "", this.origin)
    if (response.status === 302 && url.origin !== this.origin) return url
    throw new Error(
      `Signing in with ${id} did not lead to the provider: ${await described(response)}`,
    )
  }

  /**
   * Signs in as the sign-in page would have it. With a provider that can approve, the whole round; with the id of a
   * credentials provider, the form with `fields`; else the first step, such as asking for a mail. Gives the last answer.
   */
  async signIn(
    provider: string | Approver,
    fields: Record<string, string> = {},
  ): Promise<Response> {
    if (typeof provider !== "string") {
      return this.open(provider.approve(await this.begin(provider, fields)))
    }
    const action = (await this.#typeOf(provider)) === "credentials" ? "callback" : "signin"
    return this.#submit(`${action}/${provider}`, fields)
  }

  /** Signs out with the form of the application's own page. */
  signOut(fields: Record<string, string> = {}): Promise<Response> {
    return this.#submit("signout", fields)
  }

  /** Sends data with the session's update method. */
  update(data: unknown): Promise<Response> {
    return this.csrf().then((csrfToken) =>
      this.fetch(this.path("session"), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data }),
      }),
    )
  }

  /** Gives the path of one of the library's routes, such as `/auth/signin/scripted`. */
  path(route: string): string {
    return `${this.#basePath}/${route}`
  }

  async #submit(route: string, fields: Record<string, string>): Promise<Response> {
    return this.post(this.path(route), { csrfToken: await this.csrf(), ...fields })
  }

  async #typeOf(id: string): Promise<string | undefined> {
    if (!this.#types) {
      const providers = await this.#json<Record<string, { type: string }>>("providers")
      this.#types = new Map(Object.entries(providers).map(([name, { type }]) => [name, type]))
    }
    return this.#types.get(id)
  }

  /** The caller says what the endpoint promises; a test that got something else fails where it looks at it. */
  async #json<Promised>(route: string): Promise<Promised> {
    const response = await this.fetch(this.path(route))
    if (response.status === 200) return (await response.json()) as Promised
    throw new Error(`GET ${this.path(route)} failed: ${await described(response)}`)
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
export function browser(app: App | string | URL, options: BrowserOptions = {}): Browser {
  if (typeof app === "function") return new Browser(app, options)
  return new Browser(overNetwork, { origin: new URL(app).origin, ...options })
}

async function described(response: Response): Promise<string> {
  const location = response.headers.get("location")
  return `${response.status} ${location ?? (await response.text()).slice(0, 200)}`
}
