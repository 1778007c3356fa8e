/** Sign-in with a link that only the owner of an address receives. */
import { parseStoredDate } from "../config/adapter-store.ts"
import { createHasher, type Hasher } from "../crypto/digest.ts"
import { randomHex, timingSafeEqual } from "../crypto/random.ts"
import { EmailSignInError, InvalidEmail, Verification } from "../errors.ts"
import { describeShape } from "../http/error-report.ts"
import { buildActionsUrl } from "../http/route.ts"
import { withTimeout } from "../http/timeout.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import type { ResolvedEmailProvider } from "../providers/resolved-provider.ts"
import { normalizeEmailAddress } from "./email-address.ts"
import { type FlowContext, requireStore } from "./flow-context.ts"
import type { FlowResult } from "./flow-result.ts"
import { createJsonRequest } from "./json-request.ts"
import { TransactionCookies } from "./transaction-cookies.ts"
import {
  consumeVerificationToken,
  isGuessable,
  minUnguessableLength,
} from "./verification-token.ts"

/** How long a mailer may take, in milliseconds. */
const mailerTimeout = 15_000
const createTimeoutError = () =>
  new TypeError(`The mailer took longer than ${mailerTimeout / 1000} s`)
/** How much longer than its link a marker cookie lives, in seconds: a link that has just expired fails at once. */
const markerExtraAge = 3600
/** Maximum length of a token in characters. */
const maxTokenLength = 512
/**
 * Matches the identifiers that any `normalizeIdentifier` may return: without characters that could end a header or add
 * addresses, and not an option of a program such as sendmail.
 */
const identifierPattern = /^(?!-)[^\s\p{Cc},;"<>@]+(?:@[^\s\p{Cc},;"<>@]+)?$/u

/**
 * Normalizes the address that a user typed.
 *
 * @throws InvalidEmail
 */
export async function normalizeIdentifier(
  { id: provider, definition: { normalizeIdentifier: normalize } }: ResolvedEmailProvider,
  input: unknown,
): Promise<string> {
  if (!normalize) return normalizeEmailAddress(input)
  let address: unknown
  try {
    // Awaited although its type is synchronous, so that a rejection does not go unhandled.
    address = typeof input === "string" ? await normalize(input) : undefined
  } catch (cause) {
    throw new InvalidEmail("`normalizeIdentifier` refused it.", { provider, cause })
  }
  if (typeof address === "string" && address.length <= 320 && identifierPattern.test(address))
    return address
  throw new InvalidEmail({ provider, expected: "one e-mail address" })
}

export interface EmailContext extends FlowContext {
  readonly provider: ResolvedEmailProvider
}

/** Creates the identity that a link to an address proves. Stores and sends nothing. */
export async function createEmailIdentity(
  context: EmailContext,
  email: string,
): Promise<ProvenIdentity> {
  const { provider } = context
  const existingUser = await requireStore(context).getUserByEmail(email)
  const user = existingUser ?? { id: crypto.randomUUID(), email, emailVerified: null }
  const accountKey = { provider: provider.id, type: "email", providerAccountId: email } as const
  const account = { ...accountKey, userId: user.id }
  return { user, account, emailVerification: "verified", storedAccount: accountKey }
}

/** Stores a token, sends the link, and marks the browser as the one that requested it. */
export async function sendEmailLink(
  context: EmailContext,
  identifier: string,
  callbackUrl: string,
): Promise<void> {
  const { config, logger, request, provider } = context
  const { id, definition, maxAge } = provider
  const store = requireStore(context)
  const token = await generateToken(provider)
  const expires = new Date(Date.now() + maxAge * 1000)
  const hasher = getHasher(context)
  const tokenHash = await hasher.hash("email link", `${id} ${identifier} ${token}`)
  const query = new URLSearchParams({ callbackUrl, token, email: identifier })
  const origin = config.authUrlOrigin ?? request.origin
  const url = `${buildActionsUrl(origin, config.basePath)}/callback/${id}?${query}`
  const jsonRequest = createJsonRequest(request, request.body)
  const link = { identifier, url, expires, token }
  const { theme } = config
  const language = await context.selectLanguage(request)
  const message = { ...link, provider: definition, theme, language, request: jsonRequest }
  await store.createVerificationToken({ identifier, token: tokenHash, expires })
  try {
    const sending = (async () => definition.sendVerificationRequest(message))()
    await withTimeout(mailerTimeout, sending, createTimeoutError)
  } catch (cause) {
    // Nobody has the link. If its token cannot be deleted now, it stays until it expires.
    await store
      .useVerificationToken({ identifier, token: tokenHash })
      .catch((error) => logger.error(error))
    throw new EmailSignInError("The e-mail could not be sent.", { provider: id, cause })
  }
  const key = isGuessable(token) ? getAddressKey(context, identifier) : tokenHash
  await getMarkers(context).save(key, { tokenHash }, maxAge + markerExtraAge)
}

/**
 * Whether this browser requested the link that it opens. For a short token: whether it was its latest request.
 *
 * @throws Verification for an incomplete link
 */
export async function isLinkOfBrowser(context: EmailContext): Promise<boolean> {
  const { email, token } = readLink(context)
  for (const hash of await hashLink(context)) {
    const key = isGuessable(token) ? getAddressKey(context, email) : hash
    const marker = await getMarkers(context).read(key)
    if (marker && timingSafeEqual(String(marker["tokenHash"]), hash)) return true
  }
  return false
}

/** A browser has one marker for the short tokens of an address, so that a guess matches one of them at most. */
const getAddressKey = ({ provider }: EmailContext, email: string) => `${provider.id} ${email}`

/**
 * Returns the cookies that mark the browser of each request. They stay when the link is used, so that opening it again
 * fails at once.
 */
function getMarkers(context: FlowContext): TransactionCookies {
  const { emailRequest } = context.request.cookieDefinitions
  return new TransactionCookies(context, "email request", emailRequest)
}

/**
 * Consumes the token of a link.
 *
 * @throws Verification for a link that is incomplete, used, expired or for another address
 */
export async function completeEmailFlow(context: EmailContext): Promise<FlowResult> {
  const { email, token } = readLink(context)
  if (isGuessable(token) && !(await isLinkOfBrowser(context))) throw createCodeError()
  // Also in the format of Auth.js, so that links survive a migration.
  const hashes = [...(await hashLink(context)), ...(await getHasher(context).hashLikeAuthjs(token))]
  const store = requireStore(context)
  const storedToken = await consumeVerificationToken(store, email, hashes)
  if (!storedToken)
    throw createLinkError("one that is not stored: it was used, replaced or changed")
  if (!(parseStoredDate(storedToken.expires).getTime() > Date.now()))
    throw createLinkError("one that has expired")
  const restoreToken = async () => void (await store.createVerificationToken(storedToken))
  try {
    const identity = await createEmailIdentity(context, email)
    return { kind: "completed", identity, restoreToken }
  } catch (error) {
    await restoreToken().catch((fault) => context.logger.error(fault))
    throw error
  }
}

/** @throws Verification for an incomplete link */
function readLink({ request: { query } }: FlowContext): { token: string; email: string } {
  const token = query.get("token") ?? ""
  const email = query.get("email") ?? ""
  const isComplete = token !== "" && identifierPattern.test(email)
  if (!isComplete || token.length > maxTokenLength || email.length > maxTokenLength) {
    throw new Verification({
      expected: "a link with its `token` and `email`",
      received: `token: ${describeShape(token)}, address: ${describeShape(email)}`,
      hint: "E-mail clients may break long links: copy the whole link, or request a new one.",
    })
  }
  return { token, email }
}

/** Hashes the token of a link under every secret, so that it survives a rotation. */
async function hashLink(context: EmailContext): Promise<readonly string[]> {
  const { email, token } = readLink(context)
  const text = `${context.provider.id} ${email} ${token}`
  return getHasher(context).hashWithEachSecret("email link", text)
}

/** Returns the hasher for links: with the provider's own secret, or that of the configuration. */
function getHasher({ hasher, provider }: EmailContext): Hasher {
  const { secret } = provider.definition
  return secret === undefined ? hasher : createHasher([secret].flat())
}

async function generateToken({ id, definition }: ResolvedEmailProvider): Promise<string> {
  if (!definition.generateVerificationToken) return randomHex()
  const token: unknown = await definition.generateVerificationToken()
  if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
  const expected = `\`generateVerificationToken\` to return text of 1 to ${maxTokenLength} characters`
  throw new EmailSignInError({ provider: id, expected })
}

function createCodeError(): Verification {
  return new Verification({
    expected: "the short token of the latest link that this browser requested",
    received: "another one",
    hint: `Links with tokens of at least ${minUnguessableLength} characters work in other browsers, too.`,
  })
}

function createLinkError(received: string): Verification {
  const expected = "a link that is unused, not expired, and for this address"
  return new Verification({ expected, received })
}
