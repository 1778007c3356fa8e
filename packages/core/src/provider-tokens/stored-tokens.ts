/** The tokens of one account, wherever they are stored, and those in the accounts table. */
import type { AdapterAccount } from "../adapters.ts"
import type { CoreServices, StoreServices } from "../config/core-services.ts"
import { listAccounts, requireAdapterMethods } from "../config/stored-accounts.ts"
import { type OpenedTokens, openTokens } from "../crypto/token-sealer.ts"
import { AccessTokenError } from "../errors.ts"
import type { MetadataCache } from "../flows/oauth/metadata-cache.ts"
import { omitUndefined } from "../objects.ts"
import type { ResolvedOAuthProvider } from "../providers/resolved-provider.ts"
import type { SessionStrategy } from "../sessions/session-strategy.ts"
import type { Account, TokenSet } from "../types.ts"
import { isExpiring } from "./refresh-once.ts"

const tokenNames = [
  "access_token",
  "refresh_token",
  "expires_at",
  "scope",
  "token_type",
  "id_token",
] as const

/** The tokens of an account. */
export type StoredTokens = Pick<Account, "providerAccountId" | (typeof tokenNames)[number]> & {
  /** The subject of the first ID token, where the ID tokens themselves are not stored. */
  readonly sub?: string | undefined
}

/** Where the tokens of an account are stored. */
export interface TokenStore {
  /** Returns the tokens as they are now; undefined if the account is gone. */
  read(): Promise<StoredTokens | undefined>
  /** Stores the response to a refresh if one of the older generations is still stored. */
  replace(older: readonly StoredTokens[], refreshed: TokenSet): Promise<void>
}

/** A call of `getAccessToken`: the services of its configuration, the provider and the options. */
export interface AccessTokenCall extends CoreServices {
  readonly sessions: SessionStrategy
  readonly getMetadata: MetadataCache
  readonly provider: ResolvedOAuthProvider
  /** How long the access token has to be valid, in seconds. */
  readonly refreshBefore: number
  /** The user whose token is wanted, once that is known. */
  readonly userId?: string
  /** If false, tokens are neither refreshed nor sealed: the response cannot keep new ones. */
  readonly canSetCookies: boolean
}

/** Returns the tokens of an account without its other members. Databases return null for what is absent. */
function pickTokens(account: Account): StoredTokens {
  const { providerAccountId } = account
  const tokens = tokenNames.map((name) => [name, account[name] ?? undefined])
  return { providerAccountId, ...omitUndefined(Object.fromEntries(tokens)) }
}

/** Returns the tokens after a refresh. What the response leaves out stays (RFC 6749 section 6). */
export function mergeTokens(old: StoredTokens, refreshed: TokenSet): StoredTokens {
  const tokens = pickTokens({ ...(old as Account), ...omitUndefined(refreshed) })
  return { ...tokens, ...omitUndefined({ sub: old.sub }) }
}

/** Returns the name under which requests and processes share the refresh of tokens. */
export function getRefreshName(
  { id, issuer, token, clientId }: ResolvedOAuthProvider,
  { refresh_token, access_token }: StoredTokens,
): string {
  return [id, issuer ?? token.url, clientId, refresh_token, access_token].join(" ")
}

/** Whether tokens are the result of the same sign-in or refresh as one of these. */
export const hasGeneration = (
  generations: readonly StoredTokens[],
  { access_token: access, refresh_token: refresh }: StoredTokens,
): boolean =>
  generations.some((each) => each.access_token === access && each.refresh_token === refresh)

/**
 * Returns the tokens of a user's account, if there is one, and where they are stored.
 *
 * @throws AccessTokenError when the user has several accounts at the provider, and none is named
 * @throws MissingAdapterMethods when the adapter cannot list or update accounts
 */
export async function findAccountTokens(
  userId: string,
  providerAccountId: string | undefined,
  call: AccessTokenCall & StoreServices,
): Promise<{ readonly tokens: StoredTokens | undefined; readonly store: TokenStore }> {
  requireAdapterMethods(call, ["listAccounts", "updateAccount"])
  const { provider, refreshBefore, canSetCookies, store } = call
  const open = () => openAccount(userId, provider.id, providerAccountId, call)
  const read = async () => {
    const opened = await open()
    return opened && pickTokens(opened.account)
  }
  const opened = await open()
  const mayRefresh = isExpiring(opened?.account.expires_at, refreshBefore + minSealTime)
  const isSealDue = opened && !opened.isCurrent && !(opened.account.refresh_token && mayRefresh)
  if (isSealDue && canSetCookies) await sealAccount(opened.account, open, call)
  return {
    tokens: opened && pickTokens(opened.account),
    store: {
      read,
      async replace(older, refreshed) {
        const current = await read()
        if (!current || !hasGeneration(older, current)) return
        const key = { provider: provider.id, providerAccountId: current.providerAccountId }
        // The provider's `account` function decides what is stored, as it does at sign-in.
        const { userId: _, ...mapped } = (await provider.account(refreshed)) ?? {}
        await store.updateAccount({ ...(omitUndefined(mapped) as Partial<AdapterAccount>), ...key })
      },
    },
  }
}

/**
 * Finds an account and opens its tokens, also after `encryptTokens` was turned off.
 *
 * @throws AccessTokenError when the user has several accounts at the provider, and none is named
 */
async function openAccount(
  userId: string,
  provider: string,
  providerAccountId: string | undefined,
  services: StoreServices,
): Promise<OpenedTokens<AdapterAccount> | undefined> {
  const accounts = (await listAccounts(services, userId)).filter(
    (account) =>
      account.provider === provider &&
      (providerAccountId === undefined || String(account.providerAccountId) === providerAccountId),
  )
  const [account, ...others] = accounts
  if (!account) return undefined
  if (others.length > 0)
    throw new AccessTokenError({
      provider,
      expected: "`providerAccountId`, because the user has several accounts at this provider",
      received: `${accounts.length} accounts`,
      hint: "Pass the `providerAccountId` of one of them as an option.",
    })
  const opened = await openTokens(account, services.config.secrets)
  for (const message of opened.errors) {
    const hint = "Add the secret that sealed them to `secret`, or the user has to sign in again."
    services.logger.error(
      new AccessTokenError({ summary: `Of ${provider}: ${message}.`, provider, hint }),
    )
  }
  return opened
}

/** How long before its refresh an access token is sealed at the latest, in seconds. */
const minSealTime = 600

/**
 * Seals tokens that are stored as they are, or under an old secret. Not when they are about to be refreshed: the new ones
 * are sealed anyway, and must not be overwritten.
 */
async function sealAccount(
  account: AdapterAccount,
  open: () => Promise<OpenedTokens<AdapterAccount> | undefined>,
  { config, store, logger }: StoreServices,
): Promise<void> {
  if (!config.encryptTokens) return
  try {
    const latest = await open()
    if (!latest || latest.isCurrent || !hasGeneration([account], latest.account)) return
    const { provider, providerAccountId, access_token, refresh_token, id_token } = latest.account
    const tokens = Object.entries({ access_token, refresh_token, id_token })
    const changes = Object.fromEntries(tokens.filter(([, token]) => token))
    await store.updateAccount({ ...changes, provider, providerAccountId })
  } catch (error) {
    logger.error(error) // the tokens can be used nevertheless
  }
}
