/** Refuses attempts to guess passwords and codes, and to flood mailboxes. */

import { toAsciiDomain } from "../../config/adapter-store.ts"
import type { RateLimitAttempt } from "../../config/auth-config.ts"
import { findProvider } from "../../config/resolve-providers.ts"
import { memoize } from "../../crypto/memoize.ts"
import { describeValue } from "../../errors/describe-value.ts"
import { AuthError, InvalidProvider, TooManyRequests } from "../../errors.ts"
import { isGuessable } from "../../flows/verification-token.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { isSameOrigin } from "../../http/cross-origin.ts"
import { parseClientNetwork } from "../../http/private-hosts.ts"
import { readTextField } from "../../http/request-body.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext, ProviderContext } from "../action-context.ts"
import { verifyCsrfToken } from "../csrf.ts"
import { findBrowserId, rememberBrowser } from "./known-browser.ts"
import type { AttemptScope, LimitedAction } from "./limit-rules.ts"

/**
 * The parts of a counter's key. Nothing is counted if one is undefined. The factor multiplies the limit of the scope.
 */
type Counter = readonly [AttemptScope, parts: readonly (string | undefined)[], factor?: number]

/** Attempts to guess a long token do not count against the account: nobody can keep its owner from opening a link. */
export const hasGuessableToken = ({ query }: ActionRequest): boolean =>
  isGuessable(query.get("token") ?? "")

/**
 * Checks the method, the origin and the rate of requests that no authorization server redirected.
 *
 * @returns the keys of the counters that a correct sign-in resets
 */
export async function verifyAndLimitFormRequest(
  context: ProviderContext<Exclude<ResolvedProvider, ResolvedOAuthProvider>>,
): Promise<readonly string[]> {
  const { request, provider } = context
  const { id, type } = provider
  const isPost = request.method === "POST"
  if (!isPost && type !== "email")
    throw new InvalidProvider({ provider: id, expected: "a POST request to the callback" })
  // The library's own script asks the user before it sends a passkey: it needs no token if the browser tells the origin.
  const needsToken = type !== "webauthn" || !isSameOrigin(request.headers, request.origin)
  if (isPost && needsToken) await verifyCsrfToken(context, "any-session")
  const identifier = readIdentifier(request, provider)
  const action = type === "email" ? "email-link" : type
  const isGuessable = type !== "email" || hasGuessableToken(request)
  const attemptKeys =
    action === "webauthn"
      ? []
      : await enforceAttemptLimits(context, action, identifier, isGuessable)
  await enforceRateLimit(context, action, id, identifier?.trim())
  return attemptKeys
}

/**
 * Counts an attempt by the network of the client, by the account and the network, and by the account, and stops at the
 * first limit that it exceeds. So an attempt refused by the network limit does not count against the account.
 *
 * A browser that has signed in to the account has attempts of its own. Once it has used them up, it counts as any
 * other.
 *
 * @param identifier of the account, as the visitor typed it
 * @param isGuessable whether the attempts of unknown browsers count against the account
 * @returns the keys of the counters that a correct sign-in resets
 * @throws TooManyRequests, which is the same whether the account exists or not
 */
export async function enforceAttemptLimits(
  context: ActionContext,
  action: LimitedAction,
  identifier: string | undefined,
  isGuessable = true,
): Promise<readonly string[]> {
  const isKnown = await enforceNetworkLimits(context, action, identifier)
  return isKnown || !isGuessable ? [] : enforceAccountLimits(context, action, identifier)
}

/**
 * Counts an attempt by the network of the client. Returns true for a browser that has signed in to the account, whose
 * attempts need not be counted any further.
 *
 * @throws TooManyRequests
 */
export async function enforceNetworkLimits(
  context: ActionContext,
  action: LimitedAction,
  identifier: string | undefined,
): Promise<boolean> {
  const { request, config } = context
  const limits = config.attemptLimits[action]
  if (!Object.values(limits).some(Boolean)) return true
  const network = parseClientNetwork(request.clientAddress)
  if (limits.network) warnOfProxyAddress(context, network)
  // Most requests for passkey options name nobody, so a browser is known there if it has used any passkey.
  const owner = describeOwner(context, action === "webauthn-options" ? undefined : identifier)
  const browser = limits.identifierAndNetwork ? await findBrowserId(context, owner) : undefined
  const ownCounters: readonly Counter[] = [
    ["identifierAndNetwork", ["known browser", owner, browser]],
    ["identifier", ["known browser", owner]],
  ]
  // A sign-in does not reset them. Otherwise, an attacker could sign in to an account of the same name between guesses.
  if (browser && !(await countAttempt(context, action, ownCounters)).error) return true
  const site = network?.includes(":") ? network.replace(/:[^:]*$/, "") : undefined
  const { error: networkError } = await countAttempt(context, action, [
    ["network", [network]],
    ["network", [site], 10],
  ])
  if (networkError) throw networkError
  return false
}

/**
 * Counts an attempt by the account and the network, and by the account. Returns the keys of the counters that a correct
 * sign-in resets.
 *
 * @throws TooManyRequests
 */
export async function enforceAccountLimits(
  context: ActionContext,
  action: LimitedAction,
  identifier: string | undefined,
): Promise<readonly string[]> {
  const { request, config } = context
  const network = parseClientNetwork(request.clientAddress)
  const account = foldIdentifier(identifier, action)
  // Spellings may be accounts of several users. None of them resets the counters of attempts with another spelling.
  const variant = account === identifier ? undefined : "another spelling"
  const counters: readonly Counter[] = [
    ["identifierAndNetwork", [account, network]],
    ["identifierAndNetwork", [variant, account, network]],
    ["identifier", [account]],
    ["identifier", [variant, account]],
  ]
  // With several hosts, a name may be that of several accounts: attempts count for all of them.
  const host = variant || hasOneHost(config) ? undefined : request.url.host
  const { error, keys } = await countAttempt(context, action, counters, host)
  if (error) throw error
  return variant ? [] : keys
}

/** Describes an account exactly as it was typed, with the host, and the tenant in other fields of the form. */
export function describeOwner(
  { request, config }: ActionContext,
  identifier: string | undefined,
): string {
  const { providerId, body, url } = request
  const provider = findProvider(config, providerId)
  const tenant = listTenantFields(provider).map(
    (name) => readTextField(body, name)?.slice(0, 320) ?? null,
  )
  return JSON.stringify([providerId, url.host, identifier, ...tenant])
}

const listTenantFields = (provider: ResolvedProvider | undefined): readonly string[] =>
  provider?.type === "credentials" ? provider.tenantFields : []

const hasOneHost = ({ allowedHosts, authUrlOrigin }: ActionContext["config"]): boolean =>
  authUrlOrigin !== undefined || (allowedHosts?.length === 1 && !allowedHosts[0]?.includes("*"))

/**
 * Counts an attempt. Returns an error for the first limit that it exceeds, and the keys of the counters that a correct
 * sign-in resets.
 *
 * @param host only counters whose attempts were all made at this host are reset; undefined if there is only one
 */
async function countAttempt(
  { request: { providerId: provider }, config, hasher, attempts }: ActionContext,
  action: LimitedAction,
  counters: readonly Counter[],
  host?: string,
): Promise<{ readonly error?: TooManyRequests; readonly keys: readonly string[] }> {
  const keys: string[] = []
  const hash = (parts: readonly unknown[]) =>
    hasher.hash("attempt", JSON.stringify([action, provider, ...parts]))
  for (const [scope, parts, factor = 1] of counters) {
    const limit = config.attemptLimits[action][scope]
    if (!limit || parts.includes(undefined)) continue
    const max = limit.max * factor
    const key = await hash([scope, ...parts])
    const { count, expires } = await attempts.count(key, limit.window, scope)
    if (count > max && factor > 1) await attempts.reset(keys.at(-1) ?? "") // a refused /48 must not fill the memory
    if (host === undefined) {
      keys.push(key)
    } else {
      const hostKey = await hash([scope, ...parts, { host }])
      const { count: countAtHost } = await attempts.count(hostKey, limit.window, scope)
      keys.push(hostKey, ...(countAtHost >= count ? [key] : []))
    }
    if (count <= max) continue
    const error = new TooManyRequests({
      provider,
      action,
      expected: `at most ${max} attempts within ${limit.window} s`,
      received: `attempt ${count}`,
      hint: `Wait, or change \`attemptLimits["${action}"].${scope}\`.`,
      retryAfter: Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000)),
      isRepeated: count > max + 1,
    })
    return { error, keys }
  }
  return { keys }
}

const asciiTexts = [..."abcdefghijklmnopqrstuvwxyz0123456789", "ae", "oe", "th", ""]
const getCollator = memoize((locale: string) => new Intl.Collator(locale, { sensitivity: "base" }))
/** Finds the text that collations take for a character: `o` for `ø`, and a digit for that digit of any script. */
const toAscii = memoize(
  (character: string) =>
    asciiTexts.find((text) => getCollator("en").compare(text, character) === 0) ?? character,
  1000,
)

/**
 * Returns one text for the spellings of an account that databases may take for the same: those that differ in case,
 * accents, invisible characters or the spelling of a domain. Mail to a.da+anything@googlemail.com reaches the mailbox
 * of ada@gmail.com.
 */
function foldIdentifier(identifier: string | undefined, action: LimitedAction): string | undefined {
  const address =
    identifier && toAsciiDomain(identifier).replace(/@googlemail\.com$/i, "@gmail.com")
  const plain = address?.normalize("NFKD").replace(/[\p{M}\p{C}]/gu, "")
  const lower = plain?.toUpperCase().toLowerCase().trim() // ß and ı have other capitals
  // Cut again, because NFKD makes 18 characters of one.
  const folded = lower?.slice(0, 320).replace(/\P{ASCII}/gu, (character) => toAscii(character))
  return action === "email-request" ? folded?.replace(/\.(?=[^@]*@)|\+[^@]*(?=@)/g, "") : folded
}

/**
 * Forgets the attempts for an account whose owner has signed in, and makes the browser known. Attempts of the network
 * still count.
 *
 * @param address of a sign-in by e-mail: a code has none in its URL
 * @param attemptKeys the keys of the counters of the account
 */
export async function resetAttempts(
  context: ActionContext,
  provider: ResolvedProvider,
  address: string,
  attemptKeys: readonly string[],
): Promise<void> {
  const { request, config, attempts } = context
  // With a tenant, a name may be that of several accounts.
  if (listTenantFields(provider).length === 0)
    await Promise.all(attemptKeys.map((key) => attempts.reset(key)))
  // The names of the actions begin with the type of their provider.
  const isLimited = Object.entries(config.attemptLimits).some(
    ([action, limits]) => action.startsWith(provider.type) && limits.identifierAndNetwork,
  )
  if (!isLimited) return
  const identifier = provider.type === "email" ? address : readIdentifier(request, provider)
  if (identifier !== undefined || provider.type === "webauthn")
    await rememberBrowser(context, describeOwner(context, identifier))
}

/**
 * Calls the application's `rateLimit`, if it has one.
 *
 * @throws TooManyRequests
 */
export async function enforceRateLimit(
  context: ActionContext,
  action: RateLimitAttempt["action"],
  provider: string,
  identifier: string | undefined,
): Promise<void> {
  const { config, request } = context
  if (!config.rateLimit) return
  const { url, headers, clientAddress } = request
  const webRequest = new Request(url, { headers: [...headers] })
  const attempt = { action, provider, identifier, clientAddress, request: webRequest }
  const allowed: unknown = await config.rateLimit(omitUndefined(attempt))
  if (allowed === true) return
  const expected = "`rateLimit` to allow the attempt"
  throw new TooManyRequests({ provider, action, expected, received: describeValue(allowed) })
}

/**
 * Logs a warning in production, once, if the address of a client is most likely that of a proxy, which all clients
 * share. Every client can send the headers that cause it.
 */
function warnOfProxyAddress(context: ActionContext, network: string | undefined): void {
  const { request, config, warnOnce } = context
  if (!config.production) return
  const headers = ["x-forwarded-for", "forwarded"].map((name) => request.headers.get(name) ?? "")
  // Only the end of a long header: proxies append to it.
  const end = headers.join().slice(-1000)
  const listed = end
    .split(/[\s,;="]+/)
    .map(parseClientNetwork)
    .filter((each) => each !== undefined)
  // A framework that trusts its proxy takes the address from these headers.
  if (listed.length > 0 ? listed.some((each) => each === network) : network) return
  const { message } = new AuthError({
    expected: "the public address of each client, to limit attempts by network",
    received: network ? "an address that `X-Forwarded-For` does not list" : "no public address",
    hint:
      "If a proxy is in front of your application, let your framework trust it: `trust proxy` in Express, " +
      "`ADDRESS_HEADER` in SvelteKit, `clientAddressHeader` in Next.js, others in docs/sign-in.md#behind-a-proxy. Otherwise ignore " +
      "this, because clients can send the header themselves.",
  })
  warnOnce("attempt-limits", message)
}

/**
 * Returns the unverified address in a link, or the field of a credentials form that names the account, without white
 * space around it, and cut. A text that is not exactly what was typed begins with a space: it may be another account.
 */
function readIdentifier(
  { query, body }: ActionRequest,
  provider: ResolvedProvider,
): string | undefined {
  const field = provider.type === "credentials" ? provider.identifierField : undefined
  const typed = field !== undefined && Object.hasOwn(body, field) ? body[field] : undefined
  const value = provider.type === "email" ? query.get("email") : typed
  // `authorize` receives a number in JSON as text, and is not called with an object.
  const text = typeof value === "object" ? "" : String(value ?? "")
  const name = text.trim().slice(0, 320)
  if (name === "") return undefined
  return name === text ? name : ` ${name}`
}
