/** `GET signout` shows the sign-out page; `POST signout` ends the session, here or at the provider, too. */

import type { AdapterAccount } from "../../adapters.ts"
import { getCustomPage } from "../../config/custom-pages.ts"
import { reportSecurityEvent } from "../../config/report-security-event.ts"
import { findOAuthProvider } from "../../config/resolve-providers.ts"
import { randomToken } from "../../crypto/random.ts"
import { openTokens } from "../../crypto/token-sealer.ts"
import { TransactionCookies } from "../../flows/transaction-cookies.ts"
import { redirectOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { isSecureEndpoint } from "../../http/private-hosts.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { readProviderTokens } from "../../sessions/jwt/provider-tokens.ts"
import { findSessionProvider } from "../../sessions/records/manage-sessions.ts"
import { deriveSessionId } from "../../sessions/records/record-session.ts"
import { readSessionFacts } from "../../sessions/session-facts.ts"
import type { EndedSession, ValidSession } from "../../sessions/session-strategy.ts"
import type { Action, ActionContext } from "../action-context.ts"
import { ensureCsrfToken, verifyCsrfToken } from "../csrf.ts"
import { resolveCallbackUrl, resolveDestination } from "../resolve-callback-url.ts"
import { forgetPendingSignIn } from "../second-factor/pending-sign-in.ts"

export const signOutAction: Action = async (context) => {
  const { request, config, sessions, renderPage, emitEvent } = context
  const callbackUrl = await resolveCallbackUrl(context)
  if (request.method === "GET") {
    const customPage = getCustomPage("signOut", config, request.origin)
    if (customPage) return redirectOutcome(customPage)
    const { kind } = await sessions.checkSession(request)
    if (kind !== "valid" && kind !== "unavailable")
      return redirectOutcome(await resolveDestination(context))
    const csrfToken = await ensureCsrfToken(context, "session")
    const query = isFederated(request) ? "?federated=true" : ""
    const action = `${request.actionsUrl}/signout${query}`
    return renderPage({ page: "sign-out", csrfToken, action, callbackUrl }, request)
  }
  await verifyCsrfToken(context, "session")
  const endSession = async () => {
    const endedSession = await sessions.endSession(request)
    if (endedSession) await emitEvent("signOut", endedSession, request)
    if (endedSession && config.events.security)
      await reportSecurityEvent(
        context,
        "sign-out",
        await describeEnded(context, endedSession),
        request,
      )
    if (config.secondFactor) await forgetPendingSignIn(context)
  }
  if (isFederated(request))
    return redirectOutcome(await signOutAtProvider(context, callbackUrl, endSession))
  await endSession()
  return redirectOutcome(callbackUrl)
}

/** Whether a form, or the link to its page, requests that the user be signed out at the provider, too. */
function isFederated({ body, query }: ActionRequest): boolean {
  const federated = Object.hasOwn(body, "federated") ? body["federated"] : query.get("federated")
  return federated === true || federated === "true"
}

/** Returns whose session has ended, as far as that is known: some adapters do not say what they deleted. */
async function describeEnded({ config }: ActionContext, ended: EndedSession) {
  if ("token" in ended) {
    const { sub, email, ...claims } = ended.token ?? {}
    return { userId: sub ?? email ?? undefined, sessionId: readSessionFacts(claims).id }
  }
  const { userId, sessionToken } = ended.session ?? {}
  const isRecorded = sessionToken !== undefined && config.session.records !== undefined
  return {
    userId: userId === undefined ? undefined : String(userId),
    sessionId: isRecorded ? await deriveSessionId(sessionToken) : undefined,
  }
}

/** The session at the provider, as far as it is known. */
interface ProviderSession {
  readonly provider: ResolvedOAuthProvider
  readonly idToken: string | undefined
}

/** The longest ID token that is sent, in characters: it is part of a URL, and servers limit the length of those. */
const maxHintLength = 4096

/**
 * Ends the session here, and returns where the browser goes: to the provider, which ends its session and leads back to
 * the callback URL (OpenID Connect RP-Initiated Logout 1.0); to the callback URL itself if the provider cannot.
 *
 * @throws SignOutError when the session here could not be ended
 */
async function signOutAtProvider(
  context: ActionContext,
  callbackUrl: string,
  endSession: () => Promise<void>,
): Promise<string> {
  const found = await tryInTime(context, findProviderSession(context))
  await endSession()
  const url = found && (await tryInTime(context, createLogoutUrl(context, found, callbackUrl)))
  return url ?? callbackUrl
}

/** Returns the cookies with the callback URLs of sign-outs at a provider, by their state. */
export function getLogoutCookies(context: ActionContext): TransactionCookies {
  const { name, options } = context.request.cookieDefinitions.state
  return new TransactionCookies(context, "provider logout", { name: `${name}-logout`, options })
}

/** Returns the result of some work. Undefined if it fails or takes too long: then the user is signed out here only. */
function tryInTime<T>({ logger }: ActionContext, work: Promise<T>): Promise<T | undefined> {
  const message = "The provider or the database did not respond in time"
  return withTimeout(backgroundTimeout, work, message).catch((error: unknown) => {
    logger.warn("provider-sign-out", logger.describe(error))
    return undefined
  })
}

async function findProviderSession(context: ActionContext): Promise<ProviderSession | undefined> {
  const { config, store, request, sessions, warnOnce } = context
  const read = await sessions.checkSession(request)
  if (read.kind !== "valid") return undefined
  const { facts, userId } = read
  const canListAccounts = typeof config.adapter?.listAccounts === "function"
  const accounts = store && canListAccounts ? await store.listAccounts(userId) : []
  // The token of a database session does not name the provider.
  const recorded =
    facts.provider ??
    (config.session.records && facts.id !== undefined
      ? await findSessionProvider(context, facts.id)
      : undefined)
  const ids = recorded === undefined ? listProviderIds(context, read, accounts) : [recorded]
  const [provider, ...others] = ids.flatMap((id) => findOAuthProvider(config, id) ?? [])
  if (others.length > 0) {
    warnOnce("provider-sign-out", severalProvidersMessage)
    return undefined
  }
  if (provider?.type !== "oidc") return undefined
  const ownAccounts = accounts.filter((each) => each.provider === provider.id)
  return { provider, idToken: facts.idToken ?? (await readStoredIdToken(context, ownAccounts)) }
}

const severalProvidersMessage =
  "The session does not say which of several providers it began with. Set `session.records`, or `session.keepIdToken`."

/** Lists the ids of the providers with which the session may have begun. */
function listProviderIds(
  { config: { providers } }: ActionContext,
  { token }: ValidSession,
  accounts: readonly AdapterAccount[],
): readonly string[] {
  const known = [
    ...accounts.map(({ provider }) => provider),
    ...Object.keys(readProviderTokens(token ?? {})),
  ]
  const ids = new Set(known.length > 0 || providers.size > 1 ? known : providers.keys())
  return [...ids]
}

/** Returns the ID token in the account of a user, unless they have several of the provider. */
async function readStoredIdToken(
  { config: { encryptTokens, secrets } }: ActionContext,
  [account, ...otherAccounts]: readonly AdapterAccount[],
): Promise<string | undefined> {
  if (!account || otherAccounts.length > 0) return undefined
  const opened = encryptTokens ? (await openTokens(account, secrets)).account : account
  return opened.id_token || undefined
}

/** Returns the URL of the logout request; undefined if the provider has no endpoint for it. */
async function createLogoutUrl(
  context: ActionContext,
  { provider, idToken }: ProviderSession,
  callbackUrl: string,
): Promise<string | undefined> {
  const { request, logger, getMetadata } = context
  const { id, clientId, allowInsecure } = provider
  const { end_session_endpoint } = await getMetadata(provider)
  if (end_session_endpoint === undefined) {
    logger.debug("provider_sign_out", `Provider ${id} has no \`end_session_endpoint\``)
    return undefined
  }
  const url = new URL(end_session_endpoint)
  if (!isSecureEndpoint(url, allowInsecure))
    throw new TypeError(`The \`end_session_endpoint\` of provider ${id} must be an https URL`)
  const state = randomToken()
  await getLogoutCookies(context).save(state, { provider: id, callbackUrl })
  const isHintSent = idToken !== undefined && idToken.length <= maxHintLength
  const query = {
    ...(isHintSent && { id_token_hint: idToken }),
    client_id: clientId,
    post_logout_redirect_uri: `${request.actionsUrl}/logout/${id}`,
    state,
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
