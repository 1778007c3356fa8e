/** The tokens of one account, wherever they are stored. */
import type { LeaseStore } from "../adapters.ts"
import type { CoreServices } from "../config/core-services.ts"
import type { MetadataCache } from "../flows/oauth/metadata-cache.ts"
import type { Logger } from "../logging/logger.ts"
import { omitUndefined } from "../objects.ts"
import type { ResolvedOAuthProvider } from "../providers/resolved-provider.ts"
import type { SessionStrategy } from "../sessions/session-strategy.ts"
import type { Account, TokenSet } from "../types.ts"

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
  /** Stores the response to a refresh, unless the old tokens have been replaced since. */
  replace(old: StoredTokens, refreshed: TokenSet): Promise<void>
}

/** The services of a configuration that refreshes tokens. */
export interface TokenServices extends CoreServices {
  readonly sessions: SessionStrategy
  readonly getMetadata: MetadataCache
}

/** What a refresh needs beside the tokens. */
export interface RefreshContext {
  readonly provider: ResolvedOAuthProvider
  readonly getMetadata: MetadataCache
  /** Without leases, each process refreshes for itself. */
  readonly leases: LeaseStore | undefined
  readonly logger: Logger
  /** If false, tokens are not refreshed: the response cannot keep new ones. */
  readonly canSetCookies: boolean
}

/** Returns the tokens of an account without its other members. Databases return null for what is absent. */
export function pickTokens(account: Account): StoredTokens {
  const { providerAccountId } = account
  const tokens = tokenNames.map((name) => [name, account[name] ?? undefined])
  return { providerAccountId, ...omitUndefined(Object.fromEntries(tokens)) }
}

/** Returns the tokens after a refresh. What the response leaves out stays (RFC 6749 section 6). */
export function mergeTokens(old: StoredTokens, refreshed: TokenSet): StoredTokens {
  const { sub } = old
  const tokens = pickTokens({ ...(old as Account), ...omitUndefined(refreshed) })
  return { ...tokens, ...omitUndefined({ sub }) }
}

/** Returns the name under which requests and processes share the refresh of tokens. */
export function getRefreshName(
  { id, issuer, token, clientId }: ResolvedOAuthProvider,
  { refresh_token, access_token }: StoredTokens,
): string {
  return [id, issuer ?? token.url, clientId, refresh_token, access_token].join(" ")
}

/** Whether both are the result of the same sign-in or refresh. */
export const isSameGeneration = (a: StoredTokens, b: StoredTokens): boolean =>
  a.access_token === b.access_token && a.refresh_token === b.refresh_token
