/** Links by e-mail, and the cookies that mark the browser of each request: only it can use the link without a code. */
import type { AdapterStore } from "../../config/adapter-store.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { createHasher } from "../../crypto/digest.ts"
import { timingSafeEqual } from "../../crypto/random.ts"
import { describeShape } from "../../errors/describe-value.ts"
import { Verification } from "../../errors.ts"
import type { ProvenIdentity } from "../../proven-identity.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import type { FlowContext } from "../flow.ts"
import { TransactionCookies } from "../transaction-cookies.ts"
import { isGuessable, maxTokenLength } from "../verification-token.ts"
import { identifierPattern } from "./email-address.ts"

/** The context of a sign-in by e-mail. Its hasher has the provider's own secret, or those of the configuration. */
export interface EmailContext extends FlowContext {
  readonly provider: ResolvedEmailProvider
  readonly store: AdapterStore
}

export function createEmailContext(
  context: FlowContext & Pick<EmailContext, "provider">,
): EmailContext {
  const { secret } = context.provider.definition
  const hasher = secret === undefined ? context.hasher : createHasher([secret].flat())
  return { ...context, hasher, store: requireDatabase(context).store }
}

/** A link that was opened. */
export interface OpenedLink {
  readonly token: string
  readonly email: string
  /** The hashes of the link under every secret, so that it survives a rotation. */
  readonly hashes: readonly string[]
  /** The marker of the browser that requested the link; undefined in all other browsers. */
  readonly marker: EmailMarker | undefined
}

/**
 * Reads the link of a request, and finds out whether this browser requested it.
 *
 * @throws Verification for an incomplete link
 */
export async function readLink(context: EmailContext): Promise<OpenedLink> {
  const { query } = context.request
  const token = query.get("token") ?? ""
  const email = query.get("email") ?? ""
  const isComplete = token !== "" && identifierPattern.test(email)
  if (!isComplete || token.length > maxTokenLength || email.length > maxTokenLength)
    throw new Verification({
      expected: "a link with its `token` and `email`",
      received: `token: ${describeShape(token)}, address: ${describeShape(email)}`,
      hint: "E-mail clients may break long links: copy the whole link, or request a new one.",
    })
  const text = `${context.provider.id} ${email} ${token}`
  const hashes = await context.hasher.hashWithEachSecret("email link", text)
  return { token, email, hashes, marker: await findMarker(context, email, token, hashes) }
}

/** Creates the identity that a link to an address proves. Stores and sends nothing. */
export async function createEmailIdentity(
  context: EmailContext,
  email: string,
): Promise<ProvenIdentity> {
  const { provider, store } = context
  const existingUser = await store.getUserByEmail(email)
  const user = existingUser ?? { id: crypto.randomUUID(), email, emailVerified: null }
  const accountKey = { provider: provider.id, type: "email", providerAccountId: email } as const
  const account = { ...accountKey, userId: user.id }
  return { user, account, emailVerification: "verified", storedAccount: accountKey }
}

/** How much longer than its link a marker cookie lives, in seconds: a link that has just expired fails at once. */
const markerExtraAge = 3600

/** A link, and how it is stored. */
export interface EmailMarker {
  /** The hash that identifies the link. */
  readonly linkHash: string
  /** Whether the link is stored as one that needs its code in other browsers. */
  readonly needsCode: boolean
  /** Whether the session outlasts the browser; undefined if the request did not say. */
  readonly rememberMe?: boolean | undefined
}

/** Marks the browser as the one that requested a link. */
export async function markBrowser(
  context: EmailContext,
  identifier: string,
  token: string,
  marker: EmailMarker,
): Promise<void> {
  const { id, maxAge } = context.provider
  const key = getKey(context, identifier, token, marker.linkHash)
  const values = { ...marker, provider: id, identifier }
  await getMarkers(context).save(key, values, maxAge + markerExtraAge)
}

/**
 * Returns the marker of a link; undefined if another browser requested it. With a short token: if this browser has
 * requested another one since.
 */
async function findMarker(
  context: EmailContext,
  identifier: string,
  token: string,
  linkHashes: readonly string[],
): Promise<EmailMarker | undefined> {
  for (const linkHash of linkHashes) {
    const values = await getMarkers(context).read(getKey(context, identifier, token, linkHash))
    if (values && timingSafeEqual(String(values["linkHash"]), linkHash)) return toMarker(values)
  }
  return undefined
}

/** Returns the markers of all links to an address that this browser has requested, newest first. */
export async function listMarkers(
  context: EmailContext,
  identifier: string,
): Promise<readonly EmailMarker[]> {
  const all = await getMarkers(context).readAll()
  return all
    .filter((values) => values["provider"] === context.provider.id)
    .filter((values) => values["identifier"] === identifier)
    .map(toMarker)
}

/** `markBrowser` sealed the values. */
const toMarker = (values: Record<string, unknown>) => values as unknown as EmailMarker

/** A browser has one marker for the short tokens of an address, so that a guess matches one of them at most. */
const getKey = (
  { provider }: EmailContext,
  identifier: string,
  token: string,
  linkHash: string,
): string => (isGuessable(token) ? `${provider.id} ${identifier}` : linkHash)

/** The cookies stay when a link is used, so that opening it again fails at once. */
function getMarkers(context: EmailContext): TransactionCookies {
  const { emailRequest } = context.request.cookieDefinitions
  return new TransactionCookies(context, "email request", emailRequest)
}
