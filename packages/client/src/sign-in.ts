import type { PublicProvider } from "@latchkey/core/types"
import { ClientError, type ClientFailure } from "./client-failure.ts"
import type {
  AuthorizationParams,
  Client,
  SignIn,
  SignInOptions,
  SignInResult,
  SignOut,
  SignOutOptions,
  SignOutResult,
} from "./client-types.ts"
import type { HttpClient, RedirectReply } from "./http-client.ts"
import type { ClientInternals } from "./internals.ts"
import { getPageUrl, navigateTo } from "./navigate.ts"
import type { SessionStore } from "./session-store.ts"
import type { TabSync } from "./tab-sync.ts"

export function createSignInActions<S>(
  httpClient: HttpClient,
  store: SessionStore<S>,
  tabs: TabSync,
): Pick<Client<S>, "signIn" | "signOut" | "submitEmailCode"> &
  Pick<ClientInternals<S>, "submitSignIn"> {
  const submitSignIn: ClientInternals<S>["submitSignIn"] = async (path, options, onReply) => {
    const completesSignIn = path.startsWith("/callback/")
    const { redirect, redirectTo, ...fields } = options
    const callbackUrl = resolveCallbackUrl(options)
    const reply = await httpClient.postForm(path, { ...fields, callbackUrl })
    await onReply?.(reply)
    if (reply.ok) (completesSignIn ? tabs.broadcastChange : tabs.markSignInStarted)()
    if (redirect !== false) return followReply(reply, path)
    if (!reply.ok) return reply
    const { pathname, searchParams } = new URL(reply.url)
    // The sign-in waits: whoever was signed in before still is.
    if (!completesSignIn || pathname.endsWith("/signin/second-factor")) {
      if (pathname !== `${httpClient.basePath}/verify-request`)
        return { ...reply, kind: "redirect" }
      const provider = `${searchParams.get("provider")}`
      return { ...reply, kind: "email-sent", provider, email: `${fields["email"]}` }
    }
    const state = await store.refetchSession()
    if (state.kind === "signed-in") return { ...reply, kind: state.kind, session: state.session }
    // If nobody is signed in, the application's `signIn` callback redirects elsewhere first.
    return state.kind === "unavailable" ? state.failure : { ...reply, kind: "redirect" }
  }

  async function signIn(
    id?: string,
    options: SignInOptions = {},
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResult<S>> {
    const providers = id ? await httpClient.getProviders() : undefined
    const isKnown = providers?.ok && id && Object.hasOwn(providers.body, id)
    const provider = isKnown ? providers.body[id] : undefined
    if (provider?.type === "email" && options["code"] != null) {
      // Without `redirectTo`, the server goes where the request for the e-mail wanted to go.
      const fields = { callbackUrl: "", ...options }
      return submitSignIn(`/callback/${encodeURIComponent(provider.id)}`, fields)
    }
    if (provider) return submitSignIn(createSignInPath(provider, authorizationParams), options)
    const query = new URLSearchParams({ callbackUrl: resolveCallbackUrl(options) })
    const url = `${httpClient.actionUrl("/signin")}?${query}`
    const reply = providers?.ok === false ? providers : { ok: true as const, url }
    if (options.redirect !== false) return followReply(reply, "/providers")
    return reply.ok ? { ...reply, kind: "redirect" } : reply
  }

  async function signOut(options: SignOutOptions = {}): Promise<SignOutResult> {
    const { redirect, csrfToken, federated } = options
    const callbackUrl = resolveCallbackUrl(options)
    const reply = await httpClient.postForm("/signout", { csrfToken, callbackUrl, federated })
    if (reply.ok) tabs.broadcastChange()
    if (redirect !== false) return followReply(reply, "/signout")
    if (!reply.ok) return reply
    store.setSession(null)
    return { ...reply, kind: "signed-out" }
  }

  const submitEmailCode: Client<S>["submitEmailCode"] = ({ provider, email }, code) =>
    signIn(provider, { email, code, redirect: false })

  return {
    submitSignIn,
    submitEmailCode,
    // Leaving the page is a promise that never resolves, for which the overloads say `Promise<never>`.
    signIn: signIn as SignIn<S>,
    signOut: signOut as SignOut,
  }
}

function resolveCallbackUrl({ redirectTo, callbackUrl }: SignOutOptions): string {
  return redirectTo ?? callbackUrl ?? getPageUrl() ?? "/"
}

/** Goes to the target of a redirect, or to the page that explains an error. */
function followReply(reply: RedirectReply | ClientFailure, path: string): Promise<never> {
  if (reply.ok) return navigateTo(reply.url)
  if ("page" in reply && reply.page) return navigateTo(reply.page)
  throw new ClientError(reply, path)
}

/** Credentials complete a sign-in at once. With other providers, the sign-in starts. */
function createSignInPath({ id, type }: PublicProvider, params: AuthorizationParams = ""): string {
  const action = type === "credentials" ? "callback" : "signin"
  return `/${action}/${encodeURIComponent(id)}?${new URLSearchParams(params)}`
}
