/** Sign-in with a link that only the owner of an address gets. */
import type { VerificationToken } from "../adapters.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { Store } from "../config/store.ts"
import { createHasher, type Hasher, legacyHashes } from "../crypto/digest.ts"
import { randomHex, sameText } from "../crypto/random.ts"
import { EmailSignInError, InvalidEmail, MissingAdapter, Verification } from "../errors.ts"
import { within } from "../http/deadline.ts"
import type { Exchange } from "../http/exchange.ts"
import { basePrefix } from "../http/route.ts"
import { shapeOf } from "../http/trace.ts"
import type { Identity } from "../proof.ts"
import type { ResolvedEmailProvider } from "../providers/resolved.ts"
import { normalizeAddress } from "./email-address.ts"
import type { Proof } from "./proof.ts"
import { rebuiltRequest } from "./rebuilt-request.ts"

/** How long a mailer may take, in milliseconds. */
const mailerTimeout = 15_000
/** Longest token that is looked up, in characters. */
const longestToken = 512

export interface EmailFlow {
  /**
   * The address that was typed, normalised.
   *
   * @throws InvalidEmail
   */
  addressFor(provider: ResolvedEmailProvider, typed: unknown): Promise<string>
  /** Who a link would be for; nothing is sent or stored yet. */
  identify(provider: ResolvedEmailProvider, address: string): Promise<Identity>
  /** Stores a token, then sends the link. */
  send(
    exchange: Exchange,
    provider: ResolvedEmailProvider,
    identifier: string,
    callbackUrl: string,
  ): Promise<void>
  /** Uses a link up. */
  prove(exchange: Exchange, provider: ResolvedEmailProvider): Promise<Proof>
}

export function createEmailFlow(config: ResolvedConfig): EmailFlow {
  return {
    addressFor,
    identify: async (provider, address) => identityOf(provider, address, storeOf(config)),
    send: (exchange, provider, identifier, callbackUrl) =>
      send(exchange, provider, identifier, callbackUrl, config),
    prove: (exchange, provider) => prove(exchange, provider, config),
  }
}

/** What no rule of an application may let through: white space, lists, headers, several addresses. */
const oneWord = /^[^\s\p{Cc},;"<>@]+(?:@[^\s\p{Cc},;"<>@]+)?$/u

/** The application's own rule may be stricter or wider, but it gives one word. */
async function addressFor(provider: ResolvedEmailProvider, typed: unknown): Promise<string> {
  const normalize = provider.definition.normalizeIdentifier
  if (!normalize) return normalizeAddress(typed)
  let address: unknown
  try {
    // Awaited although it promises nothing: nobody else would see an async one fail.
    address = typeof typed === "string" ? await normalize(typed) : undefined
  } catch (cause) {
    throw new InvalidEmail("`normalizeIdentifier` refused it.", { provider: provider.id, cause })
  }
  if (typeof address === "string" && address.length <= 320 && oneWord.test(address)) return address
  throw new InvalidEmail({ provider: provider.id, expected: "one e-mail address" })
}

function storeOf(config: ResolvedConfig): Store {
  if (config.store) return config.store
  throw new MissingAdapter({ hint: "Sign-in by e-mail keeps its tokens in a database." })
}

async function identityOf(
  provider: ResolvedEmailProvider,
  email: string,
  store: Store,
): Promise<Identity> {
  const known = await store.getUserByEmail(email)
  const user = known ?? { id: crypto.randomUUID(), email, emailVerified: null }
  const keys = { provider: provider.id, type: "email", providerAccountId: email } as const
  return {
    user,
    account: { ...keys, userId: user.id },
    emailStanding: "proven",
    stored: keys,
  }
}

/** Keyed hashes of links: under the provider's own secret, or the configuration's. */
function keysOf(
  provider: ResolvedEmailProvider,
  config: ResolvedConfig,
): { hasher: Hasher; secrets: readonly string[] } {
  const own = provider.definition.secret
  if (own === undefined) return config
  const secrets = typeof own === "string" ? [own] : own
  return { hasher: createHasher(secrets), secrets }
}

async function send(
  exchange: Exchange,
  provider: ResolvedEmailProvider,
  identifier: string,
  callbackUrl: string,
  config: ResolvedConfig,
): Promise<void> {
  const store = storeOf(config)
  const { definition } = provider
  const token = await newToken(provider)
  const expires = new Date(Date.now() + provider.maxAge * 1000)
  const hashed = await keysOf(provider, config).hasher.hash(
    "email link",
    `${provider.id} ${identifier} ${token}`,
  )
  const url = linkUrl(exchange, provider, config, { callbackUrl, token, email: identifier })
  const { theme } = config
  const request = rebuiltRequest(exchange, exchange.body)
  const parameters = { identifier, url, expires, token, provider: definition, theme, request }
  await store.createVerificationToken({ identifier, token: hashed, expires })
  try {
    const sent = (async () => definition.sendVerificationRequest(parameters))()
    const late = () => new TypeError(`The mailer took longer than ${mailerTimeout / 1000} s`)
    await within(mailerTimeout, sent, late)
  } catch (cause) {
    // Nobody has the link: the token is of no use, and stays only until it expires if this fails too.
    await store
      .useVerificationToken({ identifier, token: hashed })
      .catch((error) => config.log.error(error))
    throw new EmailSignInError("The e-mail could not be sent.", { provider: provider.id, cause })
  }
}

async function newToken({ id, definition }: ResolvedEmailProvider): Promise<string> {
  if (!definition.generateVerificationToken) return randomHex()
  const token: unknown = await definition.generateVerificationToken()
  if (typeof token === "string" && token !== "" && token.length <= longestToken) return token
  throw new EmailSignInError({
    provider: id,
    expected: `\`generateVerificationToken\` to return text of 1 to ${longestToken} characters`,
  })
}

function linkUrl(
  exchange: Exchange,
  provider: ResolvedEmailProvider,
  config: ResolvedConfig,
  parameters: Record<string, string>,
): string {
  const path = `${basePrefix(config.basePath)}/callback/${provider.id}`
  return `${exchange.origin}${path}?${new URLSearchParams(parameters)}`
}

async function prove(
  exchange: Exchange,
  provider: ResolvedEmailProvider,
  config: ResolvedConfig,
): Promise<Proof> {
  const { query } = exchange
  const token = query.get("token") ?? ""
  const email = query.get("email") ?? ""
  if (!token || !email || token.length > longestToken || email.length > longestToken) {
    throw new Verification({
      expected: "a link with its `token` and `email`",
      came: `token: ${shapeOf(token)}, address: ${shapeOf(email)}`,
      hint: "Mail programs may break long links: copy it as a whole, or ask for a new one.",
    })
  }
  const store = storeOf(config)
  const hashes = await hashesOf(email, token, provider, config)
  const stored = await take(store, email, hashes)
  const restore = async () => {
    if (stored) await store.createVerificationToken(stored)
  }
  if (stored && !isMeant(stored, email, hashes)) {
    // The adapter looked for less than it was asked for: what it took belongs to somebody else.
    await restore()
    throw unusable("one for another address")
  }
  if (!stored) throw unusable("none that is stored: it was used, replaced or changed")
  if (!(stored.expires.getTime() > Date.now())) throw unusable("one that has expired")
  try {
    const identity = await identityOf(provider, stored.identifier, store)
    const callbackUrl = query.get("callbackUrl") ?? undefined
    return { kind: "proven", identity, callbackUrl, link: undefined, restore }
  } catch (error) {
    await restore().catch((fault) => config.log.error(fault))
    throw error
  }
}

function isMeant(
  { identifier, token }: VerificationToken,
  email: string,
  hashes: readonly string[],
): boolean {
  return identifier === email && hashes.some((hash) => sameText(hash, token))
}

function unusable(came: string): Verification {
  return new Verification({
    expected: "a link that was not used, has not expired, and was made for this address",
    came,
  })
}

/** Under every secret, and in the predecessor's format: links outlive a rotation and a migration. */
async function hashesOf(
  email: string,
  token: string,
  provider: ResolvedEmailProvider,
  config: ResolvedConfig,
): Promise<readonly string[]> {
  const { hasher, secrets } = keysOf(provider, config)
  return [
    ...(await hasher.hashes("email link", `${provider.id} ${email} ${token}`)),
    ...(await legacyHashes(token, secrets)),
  ]
}

async function take(
  store: Store,
  identifier: string,
  hashes: readonly string[],
): Promise<VerificationToken | null> {
  for (const token of hashes) {
    const stored = await store.useVerificationToken({ identifier, token })
    if (stored) return stored
  }
  return null
}
