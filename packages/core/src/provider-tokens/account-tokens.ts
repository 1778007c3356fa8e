/** Tokens in the accounts table. */
import type { AdapterAccount } from "../adapters.ts"
import type { StoreServices } from "../config/core-services.ts"
import { AccessTokenError, MissingAdapterMethods } from "../errors.ts"
import { omitUndefined } from "../objects.ts"
import type { ResolvedOAuthProvider } from "../providers/resolved-provider.ts"
import type { TokenSet } from "../types.ts"
import {
  isSameGeneration,
  pickTokens,
  type StoredTokens,
  type TokenStore,
} from "./stored-tokens.ts"

/**
 * Returns the tokens of a user's account, if there is one, and where they are stored.
 *
 * @throws AccessTokenError when the user has several accounts at the provider, and none is named
 * @throws MissingAdapterMethods when the adapter cannot list or update accounts
 */
export async function findAccountTokens(
  userId: string,
  provider: ResolvedOAuthProvider,
  providerAccountId: string | undefined,
  services: StoreServices,
): Promise<{ readonly tokens: StoredTokens | undefined; readonly store: TokenStore }> {
  assertAccountMethods(services)
  const { store } = services
  const find = () => findAccount(userId, provider.id, providerAccountId, services)
  const account = await find()
  const read = async () => {
    const found = await find()
    return found && pickTokens(found)
  }
  return {
    tokens: account && pickTokens(account),
    store: {
      read,
      async replace(old, refreshed) {
        const current = await read()
        if (!current || !isSameGeneration(current, old)) return
        const key = { provider: provider.id, providerAccountId: old.providerAccountId }
        await store.updateAccount({ ...(await mapTokens(provider, refreshed)), ...key })
      },
    },
  }
}

function assertAccountMethods({ config: { adapter } }: StoreServices): void {
  const missing = (["listAccounts", "updateAccount"] as const).filter(
    (name) => typeof adapter?.[name] !== "function",
  )
  if (missing.length === 0) return
  throw new MissingAdapterMethods({
    expected: "the adapter to have the methods that access tokens need",
    received: `an adapter without ${missing.join(" and ")}`,
    hint: "Add them to the adapter: docs/provider-tokens.md#adapters.",
  })
}

async function findAccount(
  userId: string,
  provider: string,
  providerAccountId: string | undefined,
  { store }: StoreServices,
): Promise<AdapterAccount | undefined> {
  const accounts = (await store.listAccounts(userId)).filter(
    (account) =>
      account.provider === provider &&
      String(account.userId) === userId &&
      (providerAccountId === undefined || String(account.providerAccountId) === providerAccountId),
  )
  if (accounts.length <= 1) return accounts[0]
  throw new AccessTokenError({
    provider,
    expected: "`providerAccountId`, because the user has several accounts at this provider",
    received: `${accounts.length} accounts`,
    hint: "Pass the `providerAccountId` of one of them as an option.",
  })
}

/** Applies the provider's `account` function, which decides what is stored, as it does at sign-in. */
async function mapTokens(
  provider: ResolvedOAuthProvider,
  refreshed: TokenSet,
): Promise<Partial<AdapterAccount>> {
  const { userId: _, ...mapped } = (await provider.account(refreshed)) ?? {}
  return omitUndefined(mapped) as Partial<AdapterAccount>
}
