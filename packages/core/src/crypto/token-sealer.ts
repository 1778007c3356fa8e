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
  const { provider } = account
  const providerAccountId = String(account.providerAccountId) // adapters may return numbers
  const sealed: Partial<Record<string, string>> = {}
  for (const name of tokenNames) {
    const token = account[name]
    if (!token || token.startsWith(prefix)) continue
    const plaintext = JSON.stringify({ provider, providerAccountId, name, token })
    sealed[name] = prefix + (await encryptJwe(await getKey(secret), plaintext))
  }
  return { ...account, ...sealed }
}

export interface OpenedTokens<T> {
  /** Has an empty text for each token that cannot be opened. */
  readonly account: T
  /** Whether all tokens that can be opened were sealed under the first secret. */
  readonly isCurrent: boolean
  /** Why tokens cannot be opened: they were sealed under another secret, or for another account or column. */
  readonly errors: readonly string[]
}

/**
 * Opens the tokens of an account, each for itself: after a later sign-in, an old one may remain that cannot be opened.
 * Those that are not sealed stay as they are.
 */
export async function openTokens<T extends Account>(
  account: T,
  secrets: readonly string[],
): Promise<OpenedTokens<T>> {
  const opened: Partial<Record<string, string>> = {}
  const errors: string[] = []
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
    if (typeof decrypted === "string") {
      opened[name] = ""
      errors.push(`The stored ${name} cannot be opened: ${decrypted}`)
      continue
    }
    const content = parseJsonObject(decrypted.plaintext) ?? {}
    const { provider, providerAccountId } = account
    const isOwn =
      content["name"] === name &&
      content["provider"] === provider &&
      content["providerAccountId"] === String(providerAccountId)
    opened[name] = isOwn ? String(content["token"]) : ""
    if (isOwn) isCurrent &&= decrypted.key === keys[0]
    else errors.push(`The stored ${name} was sealed for another account or column`)
  }
  return { account: { ...account, ...opened }, isCurrent, errors }
}
