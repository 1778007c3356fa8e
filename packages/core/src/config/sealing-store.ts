/** A store that seals the tokens of accounts before it stores them: the option `encryptTokens`. */
import { sealTokens } from "../crypto/token-sealer.ts"
import { type AdapterStore, replaceMethods } from "./adapter-store.ts"

/** Wraps a store. Accounts that it returns have the tokens as they are stored. */
export function createSealingStore(store: AdapterStore, secrets: readonly string[]): AdapterStore {
  return replaceMethods(store, {
    linkAccount: async (account) =>
      store.linkAccount({ ...account, ...(await sealTokens(account, secrets)) }),
    createUserWithAccount: async (user, account) =>
      store.createUserWithAccount(user, { ...account, ...(await sealTokens(account, secrets)) }),
    updateAccount: async (account) =>
      store.updateAccount({ ...account, ...(await sealTokens(account, secrets)) }),
  })
}
