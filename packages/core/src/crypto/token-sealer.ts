/** Seals the tokens of an account for the database. */
import type { AccountKey, AdapterAccount } from "../adapters.ts"
import { parseJsonObject } from "../objects.ts"
import { decryptJwe, deriveJweKey, encryptJwe } from "./jwe.ts"
import { memoize } from "./memoize.ts"
import { tokenSealPurpose } from "./purposes.ts"

type Account = Partial<AdapterAccount> & AccountKey

/** Begins sealed tokens: a provider's own token may be a JWE, too. */
const prefix = "latchkey-sealed:"
const tokenNames = ["access_token", "refresh_token", "id_token"] as const

const getKey = memoize(
  (secret: string) => deriveJweKey(secret, "latchkey", `Latchkey ${tokenSealPurpose} key`),
  64,
)

/** Seals the tokens of an account under the first secret. Each is bound to its account and its column. */
export async function sealTokens<T extends Account>(
  account: T,
  [secret = ""]: readonly string[],
): Promise<T> {
  const { provider, providerAccountId } = account
  const sealed: Partial<Record<string, string>> = {}
  for (const name of tokenNames) {
    const token = account[name]
    if (!token || token.startsWith(prefix)) continue
    const plaintext = JSON.stringify({ provider, providerAccountId, name, token })
    sealed[name] = prefix + (await encryptJwe(await getKey(secret), plaintext))
  }
  return { ...account, ...sealed }
}

/** The tokens of an account, and whether all of them were sealed under the first secret. */
export interface OpenedTokens<T> {
  readonly account: T
  readonly isCurrent: boolean
}

/**
 * Opens the tokens of an account. Those that are not sealed stay as they are.
 *
 * @throws TypeError when a token was sealed under another secret, or for another account or column
 */
export async function openTokens<T extends Account>(
  account: T,
  secrets: readonly string[],
): Promise<OpenedTokens<T>> {
  const opened: Partial<Record<string, string>> = {}
  let isCurrent = true
  for (const name of tokenNames) {
    const token = account[name]
    if (!token) continue
    if (!token.startsWith(prefix)) {
      isCurrent = false
      continue
    }
    const keys = await Promise.all(secrets.map(getKey))
    const decrypted = await decryptJwe(keys, token.slice(prefix.length))
    if (decrypted.kind === "refused")
      throw new TypeError(`The stored ${name} cannot be opened: ${decrypted.reason}`)
    const content = parseJsonObject(decrypted.plaintext) ?? {}
    const { provider, providerAccountId } = account
    const isOwn =
      content["name"] === name &&
      content["provider"] === provider &&
      content["providerAccountId"] === String(providerAccountId)
    if (!isOwn) throw new TypeError(`The stored ${name} was sealed for another account or column`)
    opened[name] = String(content["token"])
    isCurrent &&= decrypted.key === keys[0]
  }
  return { account: { ...account, ...opened }, isCurrent }
}
