/** Signing in and out: what is posted, and what becomes of the answer. */
import type { PublicProvider } from "../types.ts"
import { ClientError, type ClientFailure } from "./client-failure.ts"
import type { HttpClient } from "./http-client.ts"
import type { SignInMethod } from "./internals.ts"
import { getPageUrl, navigateTo } from "./navigate.ts"
import type { LoadProviders } from "./provider-list.ts"
import type { RedirectReply } from "./reply.ts"
import type { SessionStore } from "./session-store.ts"
import type {
  AuthorizationParams,
  SignInOptions,
  SignInResult,
  SignOutOptions,
  SignOutResult,
} from "./sign-in-types.ts"
import type { TabSync } from "./tab-sync.ts"

export interface SignInActions<S> {
  submitSignIn(way: SignInMethod, options: SignInOptions): Promise<SignInResult<S>>
  signIn(
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult<S>>
  signOut(options?: SignOutOptions): Promise<SignOutResult>
}

interface SignInDependencies<S> {
  readonly endpoint: HttpClient
  readonly store: SessionStore<S>
  readonly tabs: TabSync
  readonly listProviders: LoadProviders
}

export function createSignInActions<S>(dependencies: SignInDependencies<S>): SignInActions<S> {
  const { endpoint, store, tabs, listProviders } = dependencies

  async function submitSignIn(
    { path, completesSignIn }: SignInMethod,
    options: SignInOptions,
  ): Promise<SignInResult<S>> {
    const { redirect, redirectTo, ...fields } = options
    const reply = await endpoint.postForm(path, {
      ...fields,
      callbackUrl: resolveCallbackUrl(options),
    })
    if (reply.ok) (completesSignIn ? tabs.broadcastChange : tabs.markSignInStarted)()
    if (redirect !== false) return followReply(reply, path)
    if (!reply.ok) return reply
    return completesSignIn ? completeSignIn(reply) : describePendingSignIn(reply)
  }

  /** The server has let somebody in: who it is, it has to say itself. */
  async function completeSignIn({ ok, url }: RedirectReply): Promise<SignInResult<S>> {
    const state = await store.refetchSession()
    if (state.kind === "signed-in") return { ok, kind: state.kind, url, session: state.session }
    if (state.kind === "unavailable") return state.failure
    // The application's `signIn` callback sends them somewhere else first.
    return { ok, kind: "redirect", url }
  }

  function describePendingSignIn({ ok, url }: RedirectReply): SignInResult<S> {
    const isEmailSent = new URL(url).pathname === `${endpoint.basePath}/verify-request`
    return { ok, kind: isEmailSent ? "email-sent" : "redirect", url }
  }

  function createSignInPageReply(options: SignInOptions): RedirectReply {
    const query = new URLSearchParams({ callbackUrl: resolveCallbackUrl(options) })
    return { ok: true, url: `${endpoint.actionUrl("/signin")}?${query}` }
  }

  return {
    submitSignIn,
    async signIn(id, options = {}, authorizationParams) {
      const providersReply = id ? await listProviders() : undefined
      const provider =
        providersReply?.ok &&
        id &&
        Object.hasOwn(providersReply.body, id) &&
        providersReply.body[id]
      if (provider) return submitSignIn(selectSignInMethod(provider, authorizationParams), options)
      const reply = providersReply?.ok === false ? providersReply : createSignInPageReply(options)
      if (options.redirect !== false) return followReply(reply, "/providers")
      return reply.ok ? { ...reply, kind: "redirect" } : reply
    },
    async signOut(options = {}) {
      const { redirect, csrfToken } = options
      const path = "/signout"
      const reply = await endpoint.postForm(path, {
        csrfToken,
        callbackUrl: resolveCallbackUrl(options),
      })
      if (reply.ok) tabs.broadcastChange()
      if (redirect !== false) return followReply(reply, path)
      if (!reply.ok) return reply
      store.setSession(null)
      return { ...reply, kind: "signed-out" }
    },
  }
}

function resolveCallbackUrl({ redirectTo, callbackUrl }: SignInOptions | SignOutOptions): string {
  return redirectTo ?? callbackUrl ?? getPageUrl() ?? "/"
}

/** Goes where an answer leads, also when it is a refusal that a page tells of. */
function followReply(reply: RedirectReply | ClientFailure, path: string): Promise<never> {
  if (reply.ok) return navigateTo(reply.url)
  if ("page" in reply && reply.page) return navigateTo(reply.page)
  throw new ClientError(reply, path)
}

/** Credentials prove somebody at once; everything else begins with the provider. */
function selectSignInMethod(
  { id, type }: PublicProvider,
  authorizationParams: AuthorizationParams = "",
): SignInMethod {
  const proves = type === "credentials"
  const query = new URLSearchParams(authorizationParams)
  return {
    path: `/${proves ? "callback" : "signin"}/${encodeURIComponent(id)}?${query}`,
    completesSignIn: proves,
  }
}
