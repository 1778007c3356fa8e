/** Sign-in with a link that only the owner of an address gets. */
import type { VerificationToken } from "../adapters.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { Store } from "../config/store.ts"
import { createHasher, type Hasher, legacyHashes } from "../crypto/digest.ts"
import { randomHex } from "../crypto/random.ts"
import { EmailSignInError, InvalidEmail, MissingAdapter, Verification } from "../errors.ts"
import type { Exchange } from "../http/exchange.ts"
import { basePrefix } from "../http/route.ts"
import type { Identity } from "../proof.ts"
import type { ResolvedEmailProvider } from "../providers/resolved.ts"
import { normalizeAddress } from "./email-address.ts"
import type { Proof } from "./proof.ts"

/** How long a mailer may take, in milliseconds. */
const mailerTimeout = 15_000
/** Longest token that is looked up, in characters. */
const longestToken = 512

export interface EmailFlow {
  /** Who a link would be for; nothing is sent or stored yet. */
  identify(provider: ResolvedEmailProvider, typed: unknown): Promise<Identity>
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
    async identify(provider, typed) {
      return identityOf(provider, addressFor(provider, typed), storeOf(config))
    },
    send: (exchange, provider, identifier, callbackUrl) =>
      send(exchange, provider, identifier, callbackUrl, config),
    prove: (exchange, provider) => prove(exchange, provider, config),
  }
}

/** The application's own rule may be stricter or wider, but it gives text without line breaks. */
function addressFor(provider: ResolvedEmailProvider, typed: unknown): string {
  const normalize = provider.definition.normalizeIdentifier
  if (!normalize) return normalizeAddress(typed)
  let address: unknown
  try {
    address = typeof typed === "string" ? normalize(typed) : undefined
  } catch (cause) {
    throw new InvalidEmail("`normalizeIdentifier` refused it.", { provider: provider.id, cause })
  }
  if (typeof address === "string" && /^[^\s,"<>]{1,320}$/.test(address)) return address
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
  const token = (await definition.generateVerificationToken?.()) ?? randomHex()
  const expires = new Date(Date.now() + provider.maxAge * 1000)
  const hashed = await keysOf(provider, config).hasher.hash("email link", `${identifier} ${token}`)
  await store.createVerificationToken({ identifier, token: hashed, expires })
  const url = linkUrl(exchange, provider, config, { callbackUrl, token, email: identifier })
  const { theme } = config
  const request = new Request(exchange.url, { headers: exchange.headers })
  const parameters = { identifier, url, expires, token, provider: definition, theme, request }
  try {
    await withinTime(async () => definition.sendVerificationRequest(parameters))
  } catch (cause) {
    // Nobody has the link: the token is of no use, and stays only until it expires if this fails too.
    await store
      .useVerificationToken({ identifier, token: hashed })
      .catch((error) => config.log.error(error))
    throw new EmailSignInError("The e-mail could not be sent.", { provider: provider.id, cause })
  }
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

async function withinTime(work: () => Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const reason = new TypeError(`The mailer did not finish within ${mailerTimeout / 1000} s`)
    timer = setTimeout(() => reject(reason), mailerTimeout)
  })
  try {
    await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
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
    throw new Verification({ expected: "a link with its `token` and `email`" })
  }
  const store = storeOf(config)
  const stored = await take(store, email, await hashesOf(email, token, provider, config))
  if (!stored || !(stored.expires.getTime() > Date.now()) || stored.identifier !== email) {
    throw new Verification({
      expected: "a link that was not used, has not expired, and was made for this address",
    })
  }
  const restore = async () => {
    await store.createVerificationToken(stored)
  }
  try {
    const identity = await identityOf(provider, stored.identifier, store)
    const callbackUrl = query.get("callbackUrl") ?? undefined
    return { kind: "proven", identity, callbackUrl, link: undefined, restore }
  } catch (error) {
    await restore().catch((fault) => config.log.error(fault))
    throw error
  }
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
    ...(await hasher.hashes("email link", `${email} ${token}`)),
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
