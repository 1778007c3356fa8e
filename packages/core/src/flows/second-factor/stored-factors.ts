/** The factors of users, as the database has them: encrypted, and changed by one request at a time. */
import type { AdapterFactor } from "../../adapters.ts"
import type { StoreServices } from "../../config/core-services.ts"
import type { FactorData, FactorMethod } from "../../config/second-factor-options.ts"
import { decryptJwe, deriveJweKey, encryptJwe } from "../../crypto/jwe.ts"
import { memoize } from "../../crypto/memoize.ts"
import { factorSealPurpose } from "../../crypto/purposes.ts"
import { AuthError } from "../../errors.ts"
import type { FactorMethodId } from "../../latchkey-auth.ts"
import { isObject, parseJsonObject } from "../../objects.ts"
import { listPasskeyFactors } from "./passkey-factor.ts"

const getKey = memoize(
  (secret: string) => deriveJweKey(secret, "latchkey", `Latchkey ${factorSealPurpose} key`),
  64,
)

/** The members that identify a factor. Its data cannot be opened for another one. */
type FactorKey = Pick<AdapterFactor, "id" | "userId" | "method">

/** Encrypts the data of a factor under the first secret. */
export async function sealFactorData(
  { config: { secrets } }: StoreServices,
  { id, userId, method }: FactorKey,
  data: FactorData,
): Promise<string> {
  const [secret = ""] = secrets
  return encryptJwe(await getKey(secret), JSON.stringify({ id, userId, method, data }))
}

/**
 * Opens the data of a factor.
 *
 * @throws AuthError if it was encrypted under another secret, or belongs to another factor
 */
export async function openFactorData(
  { config: { secrets } }: StoreServices,
  factor: AdapterFactor,
): Promise<FactorData> {
  const decrypted = await decryptJwe(await Promise.all(secrets.map(getKey)), factor.data)
  const content = typeof decrypted === "string" ? {} : (parseJsonObject(decrypted.plaintext) ?? {})
  const { id, userId, method, data } = content
  const isOwn = id === factor.id && userId === factor.userId && method === factor.method
  if (isOwn && isObject(data)) return data
  throw new AuthError({
    summary: "A second factor cannot be opened.",
    received: typeof decrypted === "string" ? decrypted : "the data of another factor",
    hint: "Add the secret that encrypted it to `secret`, after the current one.",
  })
}

/** Returns the data of a factor. If it cannot be opened, logs the error and returns undefined. */
export async function tryOpenFactorData(
  services: StoreServices,
  factor: AdapterFactor,
): Promise<FactorData | undefined> {
  return await openFactorData(services, factor).catch((error: unknown) => {
    services.logger.error(error)
    return undefined
  })
}

/**
 * Encrypts the factors of a user with the current secret, if an older one encrypted them. Factors that are seldom used, such
 * as recovery codes, would otherwise be lost when it is removed. A factor that cannot be decrypted stays, and is logged.
 *
 * @returns whether all of them are encrypted with the current secret
 * @throws AdapterError
 */
export async function renewEncryption(services: StoreServices, userId: string): Promise<boolean> {
  const { config, store } = services
  const { header } = await getKey(config.secrets[0] ?? "")
  let isCurrent = true
  // Includes the details of passkeys.
  for (const row of await store.listFactors(userId)) {
    if (String(row.userId) !== userId || row.data.startsWith(`${header}.`)) continue
    const data = await tryOpenFactorData(services, row)
    if (!data || !(await encryptAnew(services, row, data))) isCurrent = false
  }
  return isCurrent
}

/** @returns false if another request has changed the factor meanwhile, perhaps with an older secret */
async function encryptAnew(
  services: StoreServices,
  { id, userId, method, version }: AdapterFactor,
  data: FactorData,
): Promise<boolean> {
  const sealed = await sealFactorData(services, { id, userId, method }, data)
  return services.store.updateFactor({ id, version, data: sealed })
}

/** The method of the rows of trusted devices: they are no factors, but remember that one was proven. */
export const trustedDeviceMethod = "trusted-device"

/** Returns all rows of a user that are factors, or devices, also of methods that are not configured now. */
export async function listStoredFactors(
  { store }: StoreServices,
  userId: string,
): Promise<readonly AdapterFactor[]> {
  const factors = await store.listFactors(userId)
  return factors.filter(
    // The database may compare ids loosely.
    (each) => String(each.userId) === userId && each.method !== passkeyDetailsMethod,
  )
}

/** The method of the rows that hold the names of passkeys, and when they were used. */
export const passkeyDetailsMethod = "passkey-details"

/** Returns the factors of a user whose methods are configured, and their trusted devices, the oldest first. */
export async function listFactors(
  services: StoreServices,
  userId: string,
): Promise<readonly AdapterFactor[]> {
  const { config } = services
  const isConfigured = ({ method }: AdapterFactor) =>
    findMethod(config, method) !== undefined ||
    (method === trustedDeviceMethod && config.secondFactor?.trustDevice !== undefined)
  return (await listStoredFactors(services, userId)).filter(isConfigured)
}

const findMethod = (
  { secondFactor }: StoreServices["config"],
  id: string,
): FactorMethod | undefined => secondFactor?.methods.find((method) => method.id === id)

/** Returns the factors of {@link listFactors}, and the passkeys of a user if they are second factors. */
export async function listAllFactors(
  services: StoreServices,
  userId: string,
): Promise<readonly AdapterFactor[]> {
  const passkeys = await listPasskeyFactors(services, userId)
  return [...passkeys, ...(await listFactors(services, userId))]
}

/** Whether a factor makes a second factor necessary. Recovery codes alone do not: they replace a factor. */
export const isMainFactor = ({ method }: AdapterFactor): boolean => mainMethods.has(method)

const mainMethods: ReadonlySet<string> = new Set<FactorMethodId>(["totp", "passkey", "email-codes"])

export const hasMainFactor = (factors: readonly AdapterFactor[]): boolean =>
  factors.some(isMainFactor)

/** How often a response is checked again, because another request has changed the factor. */
const maxTries = 5

/**
 * Checks a response against the factors of a user, and records that it was used: of several requests with the same
 * response, one is accepted, however many processes there are.
 *
 * @returns the factor, or undefined if the response is wrong
 * @throws AdapterError, AuthError
 */
export async function verifyFactor(
  services: StoreServices,
  userId: string,
  methodId: string,
  response: string,
): Promise<AdapterFactor | undefined> {
  const method = findMethod(services.config, methodId)
  if (!method?.verify) return undefined
  for (let tries = 0; tries < maxTries; tries += 1) {
    const factors = await listFactors(services, userId)
    const isChanged = await tryFactors(services, method, response, factors)
    if (typeof isChanged !== "boolean") return isChanged
    if (!isChanged) return undefined
  }
  return undefined
}

/** Returns the factor that accepts a response; or else whether one that would have was changed meanwhile. */
async function tryFactors(
  services: StoreServices,
  method: FactorMethod,
  response: string,
  factors: readonly AdapterFactor[],
): Promise<AdapterFactor | boolean> {
  let openingError: unknown
  let isChecked = false
  for (const factor of factors) {
    if (factor.method !== method.id) continue
    const data = await openFactorData(services, factor).catch((error: unknown) => {
      openingError = error
    })
    if (!data) continue
    isChecked = true
    const nextData = await method.verify?.(data, response, Date.now())
    if (!nextData) continue
    const { id, version } = factor
    const sealed = await sealFactorData(services, factor, nextData)
    const isStored = await services.store.updateFactor({ id, version, data: sealed })
    return isStored === true ? factor : true
  }
  if (openingError !== undefined) {
    if (!isChecked) throw openingError
    services.logger.error(openingError)
  }
  return false
}
