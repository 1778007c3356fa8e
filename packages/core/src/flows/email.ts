/** Sign-in with a link that only the owner of an address gets. */
import type { VerificationToken } from "../adapters.ts"
import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import { computeAuthjsHashes, createHasher, type Hasher } from "../crypto/digest.ts"
import { randomHex, timingSafeEqual } from "../crypto/random.ts"
import { EmailSignInError, InvalidEmail, MissingAdapter, Verification } from "../errors.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { describeShape } from "../http/error-report.ts"
import { stripTrailingSlash } from "../http/route.ts"
import { withTimeout } from "../http/timeout.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import type { ResolvedEmailProvider } from "../providers/resolved-provider.ts"
import { normalizeEmailAddress } from "./email-address.ts"
import type { FlowResult } from "./flow-result.ts"
import { createJsonRequest } from "./json-request.ts"

/** How long a mailer may take, in milliseconds. */
const mailerTimeout = 15_000
/** Longest token that is looked up, in characters. */
const maxTokenLength = 512

export interface EmailFlow {
  /**
   * The address that was typed, normalised.
   *
   * @throws InvalidEmail
   */
  normalizeIdentifier(provider: ResolvedEmailProvider, input: unknown): Promise<string>
  /** Who a link would be for; nothing is sent or stored yet. */
  createIdentity(provider: ResolvedEmailProvider, address: string): Promise<ProvenIdentity>
  /** Stores a token, then sends the link. */
  sendLink(
    request: ActionRequest,
    provider: ResolvedEmailProvider,
    identifier: string,
    callbackUrl: string,
  ): Promise<void>
  /** Uses a link up. */
  completeFlow(request: ActionRequest, provider: ResolvedEmailProvider): Promise<FlowResult>
}

export function createEmailFlow(services: CoreServices): EmailFlow {
  return {
    normalizeIdentifier: normalizeEmailIdentifier,
    createIdentity: async (provider, address) =>
      createEmailIdentity(provider, address, requireStore(services)),
    sendLink: (request, provider, identifier, callbackUrl) =>
      sendLink(request, provider, identifier, callbackUrl, services),
    completeFlow: (request, provider) => completeEmailFlow(request, provider, services),
  }
}

/** What no rule of an application may let through: white space, lists, headers, several addresses. */
const identifierPattern = /^[^\s\p{Cc},;"<>@]+(?:@[^\s\p{Cc},;"<>@]+)?$/u

/** The application's own rule may be stricter or wider, but it gives one word. */
async function normalizeEmailIdentifier(
  provider: ResolvedEmailProvider,
  input: unknown,
): Promise<string> {
  const normalize = provider.definition.normalizeIdentifier
  if (!normalize) return normalizeEmailAddress(input)
  let address: unknown
  try {
    // Awaited although it promises nothing: nobody else would see an async one fail.
    address = typeof input === "string" ? await normalize(input) : undefined
  } catch (cause) {
    throw new InvalidEmail("`normalizeIdentifier` refused it.", { provider: provider.id, cause })
  }
  if (typeof address === "string" && address.length <= 320 && identifierPattern.test(address))
    return address
  throw new InvalidEmail({ provider: provider.id, expected: "one e-mail address" })
}

function requireStore(services: CoreServices): AdapterStore {
  if (services.store) return services.store
  throw new MissingAdapter({ hint: "Sign-in by e-mail keeps its tokens in a database." })
}

async function createEmailIdentity(
  provider: ResolvedEmailProvider,
  email: string,
  store: AdapterStore,
): Promise<ProvenIdentity> {
  const existingUser = await store.getUserByEmail(email)
  const user = existingUser ?? { id: crypto.randomUUID(), email, emailVerified: null }
  const accountKey = { provider: provider.id, type: "email", providerAccountId: email } as const
  return {
    user,
    account: { ...accountKey, userId: user.id },
    emailVerification: "verified",
    storedAccount: accountKey,
  }
}

/** Keyed hashes of links: under the provider's own secret, or the configuration's. */
function getHashKeys(
  provider: ResolvedEmailProvider,
  services: CoreServices,
): { hasher: Hasher; secrets: readonly string[] } {
  const providerSecret = provider.definition.secret
  if (providerSecret === undefined)
    return { hasher: services.hasher, secrets: services.config.secrets }
  const secrets = typeof providerSecret === "string" ? [providerSecret] : providerSecret
  return { hasher: createHasher(secrets), secrets }
}

async function sendLink(
  actionRequest: ActionRequest,
  provider: ResolvedEmailProvider,
  identifier: string,
  callbackUrl: string,
  services: CoreServices,
): Promise<void> {
  const store = requireStore(services)
  const { definition } = provider
  const token = await generateToken(provider)
  const expires = new Date(Date.now() + provider.maxAge * 1000)
  const tokenHash = await getHashKeys(provider, services).hasher.hash(
    "email link",
    `${provider.id} ${identifier} ${token}`,
  )
  const url = createLinkUrl(actionRequest, provider, services, {
    callbackUrl,
    token,
    email: identifier,
  })
  const { theme } = services.config
  const request = createJsonRequest(actionRequest, actionRequest.body)
  const parameters = { identifier, url, expires, token, provider: definition, theme, request }
  await store.createVerificationToken({ identifier, token: tokenHash, expires })
  try {
    const sending = (async () => definition.sendVerificationRequest(parameters))()
    const createTimeoutError = () =>
      new TypeError(`The mailer took longer than ${mailerTimeout / 1000} s`)
    await withTimeout(mailerTimeout, sending, createTimeoutError)
  } catch (cause) {
    // Nobody has the link: the token is of no use, and stays only until it expires if this fails too.
    await store
      .useVerificationToken({ identifier, token: tokenHash })
      .catch((error) => services.logger.error(error))
    throw new EmailSignInError("The e-mail could not be sent.", { provider: provider.id, cause })
  }
}

async function generateToken({ id, definition }: ResolvedEmailProvider): Promise<string> {
  if (!definition.generateVerificationToken) return randomHex()
  const token: unknown = await definition.generateVerificationToken()
  if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
  throw new EmailSignInError({
    provider: id,
    expected: `\`generateVerificationToken\` to return text of 1 to ${maxTokenLength} characters`,
  })
}

function createLinkUrl(
  request: ActionRequest,
  provider: ResolvedEmailProvider,
  services: CoreServices,
  parameters: Record<string, string>,
): string {
  const path = `${stripTrailingSlash(services.config.basePath)}/callback/${provider.id}`
  return `${request.origin}${path}?${new URLSearchParams(parameters)}`
}

async function completeEmailFlow(
  request: ActionRequest,
  provider: ResolvedEmailProvider,
  services: CoreServices,
): Promise<FlowResult> {
  const { query } = request
  const token = query.get("token") ?? ""
  const email = query.get("email") ?? ""
  if (!token || !email || token.length > maxTokenLength || email.length > maxTokenLength) {
    throw new Verification({
      expected: "a link with its `token` and `email`",
      received: `token: ${describeShape(token)}, address: ${describeShape(email)}`,
      hint: "Mail programs may break long links: copy it as a whole, or ask for a new one.",
    })
  }
  const store = requireStore(services)
  const hashes = await computeTokenHashes(email, token, provider, services)
  const storedToken = await consumeToken(store, email, hashes)
  const restore = async () => {
    if (storedToken) await store.createVerificationToken(storedToken)
  }
  if (storedToken && !matchesLink(storedToken, email, hashes)) {
    // The adapter looked for less than it was asked for: what it took belongs to somebody else.
    await restore()
    throw createLinkError("one for another address")
  }
  if (!storedToken) throw createLinkError("none that is stored: it was used, replaced or changed")
  if (!(storedToken.expires.getTime() > Date.now())) throw createLinkError("one that has expired")
  try {
    const identity = await createEmailIdentity(provider, storedToken.identifier, store)
    const callbackUrl = query.get("callbackUrl") ?? undefined
    return {
      kind: "completed",
      identity,
      callbackUrl,
      linkRequest: undefined,
      restoreToken: restore,
    }
  } catch (error) {
    await restore().catch((fault) => services.logger.error(fault))
    throw error
  }
}

function matchesLink(
  { identifier, token }: VerificationToken,
  email: string,
  hashes: readonly string[],
): boolean {
  return identifier === email && hashes.some((hash) => timingSafeEqual(hash, token))
}

function createLinkError(received: string): Verification {
  return new Verification({
    expected: "a link that was not used, has not expired, and was made for this address",
    received,
  })
}

/** Under every secret, and in the predecessor's format: links outlive a rotation and a migration. */
async function computeTokenHashes(
  email: string,
  token: string,
  provider: ResolvedEmailProvider,
  services: CoreServices,
): Promise<readonly string[]> {
  const { hasher, secrets } = getHashKeys(provider, services)
  return [
    ...(await hasher.hashWithEachSecret("email link", `${provider.id} ${email} ${token}`)),
    ...(await computeAuthjsHashes(token, secrets)),
  ]
}

async function consumeToken(
  store: AdapterStore,
  identifier: string,
  hashes: readonly string[],
): Promise<VerificationToken | null> {
  for (const token of hashes) {
    const storedToken = await store.useVerificationToken({ identifier, token })
    if (storedToken) return storedToken
  }
  return null
}
