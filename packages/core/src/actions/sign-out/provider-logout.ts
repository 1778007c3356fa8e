/** Signs users out at the provider, too (OpenID Connect RP-Initiated Logout 1.0). */
import type { AdapterAccount } from "../../adapters.ts"
import { findOAuthProvider } from "../../config/resolve-providers.ts"
import { randomToken } from "../../crypto/random.ts"
import { openTokens } from "../../crypto/token-sealer.ts"
import { TransactionCookies } from "../../flows/transaction-cookies.ts"
import { isSecureEndpoint } from "../../http/secure-endpoint.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import { readProviderTokens } from "../../sessions/jwt/provider-tokens.ts"
import { findSessionProvider } from "../../sessions/records/manage-sessions.ts"
import type { ValidSession } from "../../sessions/session-strategy.ts"
import type { ActionContext } from "../action-context.ts"

/** The session at the provider, as far as it is known. */
interface ProviderSession {
  readonly provider: ResolvedOAuthProvider
  readonly idToken: string | undefined
}

/** The longest ID token that is sent, in characters: it is part of a URL, and servers limit the length of those. */
const maxHintLength = 4096

/**
 * Ends the session here, and returns where the browser goes: to the provider, which ends its session and leads back to
 * the callback URL; to the callback URL itself if the provider cannot.
 *
 * @throws SignOutError when the session here could not be ended
 */
export async function signOutAtProvider(
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
  const createError = () => new TypeError("The provider or the database did not respond in time")
  return withTimeout(backgroundTimeout, work, createError).catch((error: unknown) => {
    logger.warn("provider-sign-out", logger.describe(error))
    return undefined
  })
}

async function findProviderSession(context: ActionContext): Promise<ProviderSession | undefined> {
  const { config, request, sessions, warnOnce } = context
  const read = await sessions.checkSession(request)
  if (read.kind !== "valid") return undefined
  const accounts = await listAccounts(context, read)
  const recorded = read.facts.provider ?? (await findRecordedProvider(context, read))
  const ids = recorded === undefined ? listProviderIds(context, read, accounts) : [recorded]
  const [provider, ...others] = ids.flatMap((id) => findOAuthProvider(config, id) ?? [])
  if (others.length > 0) {
    warnOnce("provider-sign-out", severalProvidersMessage)
    return undefined
  }
  if (provider?.type !== "oidc") return undefined
  const [account, ...otherAccounts] = accounts.filter((each) => each.provider === provider.id)
  const stored =
    account && otherAccounts.length === 0 ? await readIdToken(context, account) : undefined
  return { provider, idToken: read.facts.idToken ?? stored }
}

const severalProvidersMessage =
  "The session does not say which of several providers it began with. Set `session.records`, or `session.keepIdToken`."

/** Finds the provider of a database session, whose token does not name it. */
async function findRecordedProvider(
  context: ActionContext,
  { facts: { id } }: ValidSession,
): Promise<string | undefined> {
  if (id === undefined) return undefined
  return findSessionProvider(context, id)
}

async function listAccounts(
  { config, store }: ActionContext,
  { userId }: ValidSession,
): Promise<readonly AdapterAccount[]> {
  if (!store || typeof config.adapter?.listAccounts !== "function") return []
  return store.listAccounts(userId)
}

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

async function readIdToken(
  { config: { encryptTokens, secrets } }: ActionContext,
  account: AdapterAccount,
): Promise<string | undefined> {
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
  const isHint = idToken !== undefined && idToken.length <= maxHintLength
  const query = omitUndefined({
    id_token_hint: isHint ? idToken : undefined,
    client_id: clientId,
    post_logout_redirect_uri: `${request.actionsUrl}/logout/${id}`,
    state,
  })
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
