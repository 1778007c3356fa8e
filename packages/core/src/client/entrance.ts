/** Signing in and out: what is posted, and what becomes of the answer. */
import type { PublicProvider } from "../types.ts"
import type { Led } from "./answer.ts"
import type { Endpoint } from "./endpoint.ts"
import { ClientError, type Failure } from "./failure.ts"
import { here, leave } from "./navigate.ts"
import type { ListProviders } from "./provider-list.ts"
import type {
  AuthorizationParams,
  SignInOptions,
  SignInResult,
  SignOutOptions,
  SignOutResult,
} from "./results.ts"
import type { Way } from "./seam.ts"
import type { SessionStore } from "./session-store.ts"
import type { Tabs } from "./tabs.ts"

export interface Entrance<S> {
  enter(way: Way, options: SignInOptions): Promise<SignInResult<S>>
  signIn(
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult<S>>
  signOut(options?: SignOutOptions): Promise<SignOutResult>
}

interface Parts<S> {
  readonly endpoint: Endpoint
  readonly store: SessionStore<S>
  readonly tabs: Tabs
  readonly listProviders: ListProviders
}

export function createEntrance<S>(parts: Parts<S>): Entrance<S> {
  const { endpoint, store, tabs, listProviders } = parts

  async function enter({ path, proves }: Way, options: SignInOptions): Promise<SignInResult<S>> {
    const { redirect, redirectTo, ...fields } = options
    const answer = await endpoint.post(path, { ...fields, callbackUrl: landingOf(options) })
    if (answer.ok) (proves ? tabs.tell : tabs.depart)()
    if (redirect !== false) return follow(answer, path)
    if (!answer.ok) return answer
    return proves ? entered(answer) : ongoing(answer)
  }

  /** The server has let somebody in: who it is, it has to say itself. */
  async function entered({ ok, url }: Led): Promise<SignInResult<S>> {
    const state = await store.renew()
    if (state.kind === "signed-in") return { ok, kind: state.kind, url, session: state.session }
    if (state.kind === "unavailable") return state.failure
    // The application's `signIn` callback sends them somewhere else first.
    return { ok, kind: "redirect", url }
  }

  function ongoing({ ok, url }: Led): SignInResult<S> {
    const isMail = new URL(url).pathname === `${endpoint.basePath}/verify-request`
    return { ok, kind: isMail ? "email-sent" : "redirect", url }
  }

  function signInPage(options: SignInOptions): Led {
    const query = new URLSearchParams({ callbackUrl: landingOf(options) })
    return { ok: true, url: `${endpoint.url("/signin")}?${query}` }
  }

  return {
    enter,
    async signIn(id, options = {}, params) {
      const listed = id ? await listProviders() : undefined
      const provider = listed?.ok && id && Object.hasOwn(listed.body, id) && listed.body[id]
      if (provider) return enter(wayOf(provider, params), options)
      const answer = listed?.ok === false ? listed : signInPage(options)
      if (options.redirect !== false) return follow(answer, "/providers")
      return answer.ok ? { ...answer, kind: "redirect" } : answer
    },
    async signOut(options = {}) {
      const { redirect, csrfToken } = options
      const path = "/signout"
      const answer = await endpoint.post(path, { csrfToken, callbackUrl: landingOf(options) })
      if (answer.ok) tabs.tell()
      if (redirect !== false) return follow(answer, path)
      if (!answer.ok) return answer
      store.put(null)
      return { ...answer, kind: "signed-out" }
    },
  }
}

function landingOf({ redirectTo, callbackUrl }: SignInOptions | SignOutOptions): string {
  return redirectTo ?? callbackUrl ?? here() ?? "/"
}

/** Goes where an answer leads, also when it is a refusal that a page tells of. */
function follow(answer: Led | Failure, path: string): Promise<never> {
  if (answer.ok) return leave(answer.url)
  if ("page" in answer && answer.page) return leave(answer.page)
  throw new ClientError(answer, path)
}

/** Credentials prove somebody at once; everything else begins with the provider. */
function wayOf({ id, type }: PublicProvider, params: AuthorizationParams = ""): Way {
  const proves = type === "credentials"
  const query = new URLSearchParams(params)
  return { path: `/${proves ? "callback" : "signin"}/${encodeURIComponent(id)}?${query}`, proves }
}
