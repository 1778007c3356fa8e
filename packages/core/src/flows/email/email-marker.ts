/** The cookies that mark the browser of each request for a link. Only that browser can use the link without a code. */
import { timingSafeEqual } from "../../crypto/random.ts"
import { TransactionCookies } from "../transaction-cookies.ts"
import { isGuessable } from "../verification-token.ts"
import type { EmailContext } from "./email-identity.ts"

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
  { linkHash, ...form }: EmailMarker,
): Promise<void> {
  const { id, maxAge } = context.provider
  const values = { tokenHash: linkHash, provider: id, identifier, ...form }
  const key = getKey(context, identifier, token, linkHash)
  await getMarkers(context).save(key, values, maxAge + markerExtraAge)
}

/**
 * Returns the marker of a link; undefined if another browser requested it. With a short token: if this browser has
 * requested another one since.
 */
export async function findMarker(
  context: EmailContext,
  identifier: string,
  token: string,
  linkHashes: readonly string[],
): Promise<EmailMarker | undefined> {
  for (const linkHash of linkHashes) {
    const values = await getMarkers(context).read(getKey(context, identifier, token, linkHash))
    if (values && timingSafeEqual(String(values["tokenHash"]), linkHash)) return parseMarker(values)
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
    .map(parseMarker)
}

/** Markers of earlier versions have the hash alone. */
const parseMarker = ({ rememberMe, ...values }: Record<string, unknown>): EmailMarker => ({
  linkHash: String(values["tokenHash"]),
  needsCode: values["needsCode"] === true,
  rememberMe: typeof rememberMe === "boolean" ? rememberMe : undefined,
})

/** A browser has one marker for the short tokens of an address, so that a guess matches one of them at most. */
const getKey = (
  { provider }: EmailContext,
  identifier: string,
  token: string,
  linkHash: string,
): string => (isGuessable(token) ? `${provider.id} ${identifier}` : linkHash)

/** The cookies stay when a link is used, so that opening it again fails at once. */
function getMarkers(context: EmailContext): TransactionCookies {
  return new TransactionCookies(
    context,
    "email request",
    context.request.cookieDefinitions.emailRequest,
  )
}
