/** Adds and removes the second factors of stored users. Who may do so is checked by the callers. */
import type { AdapterFactor, AdapterUser } from "../adapters.ts"
import type { StoreServices } from "../config/core-services.ts"
import { pendingSignInMaxAge } from "../config/defaults.ts"
import { reportSecurityEvent } from "../config/report-security-event.ts"
import type { FactorData, FactorMethod } from "../config/second-factor-options.ts"
import { randomToken } from "../crypto/random.ts"
import { countRecoveryCodes, createRecoveryCodes } from "../flows/second-factor/recovery-codes.ts"
import {
  hasMainFactor,
  isMainFactor,
  listAllFactors,
  listFactors,
  openFactorData,
  sealFactorData,
  trustedDeviceMethod,
} from "../flows/second-factor/stored-factors.ts"
import { createTotpData, createTotpSecret, createTotpUrl } from "../flows/second-factor/totp.ts"
import type { AddedFactor, FactorInfo, FactorSetup } from "../latchkey-auth.ts"

/** Describes a factor without its secret. */
export async function describeFactor(
  services: StoreServices,
  factor: AdapterFactor,
): Promise<FactorInfo> {
  const { id, createdAt } = factor
  if (factor.method === "totp") return { id, method: "totp", createdAt }
  const data = await openFactorData(services, factor)
  return factor.method === trustedDeviceMethod
    ? { id, method: "trusted-device", createdAt, expires: new Date(Number(data["expires"])) }
    : { id, method: "recovery-codes", createdAt, left: countRecoveryCodes(data) }
}

const findMethod = ({ config }: StoreServices, id: FactorMethod["id"]) =>
  config.secondFactor?.methods.find((method) => method.id === id)

/** A new app, whose id is that of the factor that it becomes: a form that is sent twice adds it once. */
export interface AppSetup extends FactorSetup {
  readonly factorId: string
}

/** Returns a new secret for an authenticator app. Nothing is stored until `addApp`. */
export async function createSetup(services: StoreServices, userId: string): Promise<AppSetup> {
  const secret = createTotpSecret()
  const factorId = randomToken()
  const content = { userId, secret, factorId }
  const setup = await services.sealer.seal("factor setup", content, pendingSignInMaxAge)
  return describeSetup(services, userId, { secret, factorId, setup })
}

async function describeSetup(
  services: StoreServices,
  userId: string,
  setup: Omit<AppSetup, "url">,
): Promise<AppSetup> {
  const { config, store } = services
  const user = await store.getUser(userId)
  const host = config.authUrlOrigin ? new URL(config.authUrlOrigin).host : "Application"
  const issuer = findMethod(services, "totp")?.issuer ?? config.theme.name ?? host
  const account = user?.email || user?.name || userId
  return { ...setup, url: createTotpUrl(setup.secret, issuer, account) }
}

/** Returns a setup as `createSetup` did; undefined if it is too old, or that of another user. */
export async function openSetup(
  services: StoreServices,
  userId: string,
  setup: string,
): Promise<AppSetup | undefined> {
  const opened = await services.sealer.open("factor setup", setup)
  if (opened?.["userId"] !== userId) return undefined
  const { secret, factorId } = opened
  return describeSetup(services, userId, {
    secret: String(secret),
    factorId: String(factorId),
    setup,
  })
}

/** Returns what a new app keeps, once it shows the right code; undefined if the code is wrong. */
export async function verifySetup(
  services: StoreServices,
  { secret }: AppSetup,
  code: string,
): Promise<FactorData | undefined> {
  // The code of the setup cannot be used for a sign-in, too.
  return findMethod(services, "totp")?.verify?.(createTotpData(secret), code, Date.now())
}

/** What became of a new app. It may have been added before, by the same form. */
type AddedApp =
  | (AddedFactor & { readonly kind: "added" })
  | { readonly kind: "known" }
  /** It would have been the first factor, but the user has one meanwhile. */
  | { readonly kind: "refused" }

/**
 * Adds an authenticator app, and recovery codes if the user has none.
 *
 * @param isFirst whether the person has proven no other factor
 */
export async function addApp(
  services: StoreServices,
  userId: string,
  { factorId }: AppSetup,
  data: FactorData,
  isFirst: boolean,
): Promise<AddedApp> {
  const factors = await listAllFactors(services, userId)
  const isAdded = (all: readonly AdapterFactor[]) => all.some(({ id }) => id === factorId)
  if (isAdded(factors)) return { kind: "known" }
  if (isFirst && hasMainFactor(factors)) return { kind: "refused" }
  const factor = await addFactor(services, userId, "totp", data, factorId).catch(
    async (error: unknown) => {
      if (isAdded(await listFactors(services, userId))) return undefined
      throw error
    },
  )
  if (!factor) return { kind: "known" }
  const hasCodes = factors.some((each) => each.method === "recovery-codes")
  const codes = hasCodes ? undefined : await addRecoveryCodes(services, userId)
  return { kind: "added", factor, ...(codes && { recoveryCodes: codes }) }
}

/** Adds recovery codes; undefined if the configuration has none. */
export async function addRecoveryCodes(
  services: StoreServices,
  userId: string,
): Promise<readonly string[] | undefined> {
  if (!findMethod(services, "recovery-codes")) return undefined
  const { codes, data } = await createRecoveryCodes()
  await addFactor(services, userId, "recovery-codes", data)
  return codes
}

/** Stores a factor, or a trusted device, and sends the event. @throws AdapterError also if there is one with the id */
export async function addFactor(
  services: StoreServices,
  userId: string,
  method: FactorInfo["method"],
  data: FactorData,
  id: string = randomToken(),
): Promise<FactorInfo> {
  const { store, emitEvent } = services
  const key = { id, userId, method }
  const sealed = await sealFactorData(services, key, data)
  const factor = { ...key, createdAt: new Date(), version: 0, data: sealed }
  await store.createFactor(factor)
  const info = await describeFactor(services, factor)
  const user = await findUser(services, userId)
  await emitEvent("addFactor", { user, factor: info }, undefined)
  if (method === trustedDeviceMethod)
    await reportSecurityEvent(services, "device-trusted", { userId })
  else await reportSecurityEvent(services, "factor-added", { userId, factor: method })
  return info
}

/** Returns the stored user. With credentials and sealed sessions, an application may store its users itself. */
const findUser = async (
  { store }: StoreServices,
  id: string,
): Promise<AdapterUser | { id: string }> => (await store.getUser(id)) ?? { id }

/** Deletes a factor, and sends the event unless another request was first. */
export async function deleteFactor(
  services: StoreServices,
  factor: AdapterFactor,
): Promise<boolean> {
  const { store, emitEvent } = services
  const { id, createdAt, userId } = factor
  if (!(await store.deleteFactor(id))) return false
  const method = factor.method as FactorInfo["method"] // of the configured methods
  const user = await findUser(services, userId)
  await emitEvent("removeFactor", { user, factor: { id, method, createdAt } }, undefined)
  if (method === trustedDeviceMethod)
    await reportSecurityEvent(services, "device-revoked", { userId })
  else await reportSecurityEvent(services, "factor-removed", { userId, factor: method })
  return true
}

/**
 * Removes a factor of a user. With an authenticator app, no device is trusted any more; with the last one, the recovery
 * codes go, too.
 */
export async function removeWithDependents(
  services: StoreServices,
  factor: AdapterFactor,
  factors: readonly AdapterFactor[],
): Promise<boolean> {
  const others = factors.filter((each) => each !== factor)
  const isRemoved = await deleteFactor(services, factor)
  const isDependent = ({ method }: AdapterFactor) =>
    !hasMainFactor(others) || (isMainFactor(factor) && method === trustedDeviceMethod)
  for (const each of others.filter(isDependent)) await deleteFactor(services, each)
  return isRemoved
}
