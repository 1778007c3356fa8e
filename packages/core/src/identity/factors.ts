/** Adds and removes the second factors of stored users. Who may do so is checked by the callers. */
import type { SecurityNotice } from "@latchkey/pages/security-email"
import type { AdapterFactor, AdapterUser } from "../adapters.ts"
import type { StoreServices } from "../config/core-services.ts"
import { pendingSignInMaxAge } from "../config/defaults.ts"
import { reportSecurityEvent } from "../config/report-security-event.ts"
import type { FactorData, FactorMethod } from "../config/second-factor-options.ts"
import { randomToken } from "../crypto/random.ts"
import type { MailContext } from "../flows/email/security-mail.ts"
import { createEmailCode } from "../flows/second-factor/email-codes.ts"
import { countRecoveryCodes, createRecoveryCodes } from "../flows/second-factor/recovery-codes.ts"
import {
  hasMainFactor,
  isMainFactor,
  listAllFactors,
  listFactors,
  sealFactorData,
  trustedDeviceMethod,
  tryOpenFactorData,
} from "../flows/second-factor/stored-factors.ts"
import { createTotpData, createTotpSecret, createTotpUrl } from "../flows/second-factor/totp.ts"
import type { AddedFactor, EmailCodesSetup, FactorInfo, FactorSetup } from "../latchkey-auth.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import { codeMaxAge } from "../providers/code-senders.ts"

const mail = loadOnFirstCall(() => import("../flows/email/security-mail.ts"))

/** Describes a factor without its secret: only its method and its age if it cannot be opened. */
export async function describeFactor(
  services: StoreServices,
  factor: AdapterFactor,
): Promise<FactorInfo> {
  const { id, createdAt } = factor
  const method = factor.method as FactorInfo["method"] // of the configured methods
  if (method === "totp") return { id, method, createdAt }
  const data = await tryOpenFactorData(services, factor)
  if (!data) return { id, method, createdAt }
  if (method === "email-codes") return { id, method, createdAt, address: String(data["address"]) }
  return method === trustedDeviceMethod
    ? { id, method, createdAt, expires: new Date(Number(data["expires"])) }
    : { id, method, createdAt, left: countRecoveryCodes(data) }
}

const findMethod = ({ config }: StoreServices, id: FactorMethod["id"]) =>
  config.secondFactor?.methods.find((method) => method.id === id)

/** A new app, whose id is that of the factor that it becomes: a form that is sent twice adds it once. */
export interface AppSetup extends FactorSetup {
  readonly factorId: string
}

/** Returns a new secret for an authenticator app. Nothing is stored until `addMainFactor`. */
export async function createAppSetup(services: StoreServices, userId: string): Promise<AppSetup> {
  const secret = createTotpSecret()
  const factorId = randomToken()
  const content = { userId, method: "totp", secret, factorId }
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

/** Returns a setup as `createAppSetup` did; undefined if it is too old, or that of another user. */
export async function openAppSetup(
  services: StoreServices,
  userId: string,
  setup: string,
): Promise<AppSetup | undefined> {
  const opened = await services.sealer.open("factor setup", setup)
  if (opened?.["userId"] !== userId || opened["method"] !== "totp") return undefined
  const { secret, factorId } = opened
  return describeSetup(services, userId, {
    secret: String(secret),
    factorId: String(factorId),
    setup,
  })
}

/** Returns what a new app keeps, once it shows the right code; undefined if the code is wrong. */
export async function verifyAppSetup(
  services: StoreServices,
  { secret }: AppSetup,
  code: string,
): Promise<FactorData | undefined> {
  // The code of the setup cannot be used for a sign-in, too.
  return findMethod(services, "totp")?.verify?.(createTotpData(secret), code, Date.now())
}

/** Codes by e-mail that wait for the first code. */
export interface EmailSetup extends EmailCodesSetup {
  readonly factorId: string
  /** The stored data of the factor, with the code that was sent. */
  readonly data: FactorData
}

/**
 * Sends the first code to the address of a user. Nothing is stored until `addMainFactor`.
 *
 * @returns undefined if the user has no address, or the configuration no codes by e-mail
 * @throws EmailSignInError
 */
export async function createEmailCodesSetup(
  services: MailContext & StoreServices,
  userId: string,
): Promise<EmailSetup | undefined> {
  const address = await findCodeAddress(services, userId)
  if (!address) return undefined
  const { code, data } = createEmailCode({ address })
  const factorId = randomToken()
  const content = { userId, method: "email-codes", factorId, data }
  const setup = await services.sealer.seal("factor setup", content, codeMaxAge)
  await mail.sendCode(services, address, code)
  return { address, factorId, setup, data }
}

/** Returns where the first code of a user is sent; undefined if it cannot be. */
export async function findCodeAddress(
  services: StoreServices,
  userId: string,
): Promise<string | undefined> {
  if (!findMethod(services, "email-codes")) return undefined
  return (await services.store.getUser(userId))?.email || undefined
}

/** Returns a setup as `createEmailCodesSetup` did; undefined if it is too old, or that of another user. */
export async function openEmailCodesSetup(
  services: StoreServices,
  userId: string,
  setup: string,
): Promise<EmailSetup | undefined> {
  const opened = await services.sealer.open("factor setup", setup)
  if (opened?.["userId"] !== userId || opened["method"] !== "email-codes") return undefined
  const { factorId, data } = opened as unknown as EmailSetup // sealed above
  return { setup, factorId, data, address: String(data["address"]) }
}

/** Returns what codes by e-mail keep, once the person has typed the first one; undefined if it is wrong. */
export async function verifyEmailCodesSetup(
  services: StoreServices,
  { data }: EmailSetup,
  code: string,
): Promise<FactorData | undefined> {
  return findMethod(services, "email-codes")?.verify?.(data, code, Date.now())
}

/** The result of `addMainFactor`. `known`: the same form has added the factor before. */
type AddedMainFactor =
  | (AddedFactor & { readonly kind: "added" })
  | { readonly kind: "known" }
  /** It would have been the first factor, but the user has one meanwhile. */
  | { readonly kind: "refused" }

/**
 * Adds an authenticator app or codes by e-mail, and recovery codes if the user has none. Tells the user.
 *
 * @param isFirst whether the person has proven no other factor
 */
export async function addMainFactor(
  services: MailContext & StoreServices,
  userId: string,
  method: "totp" | "email-codes",
  { factorId }: { readonly factorId: string },
  data: FactorData,
  isFirst: boolean,
): Promise<AddedMainFactor> {
  const factors = await listAllFactors(services, userId)
  const isAdded = (all: readonly AdapterFactor[]) => all.some(({ id }) => id === factorId)
  if (isAdded(factors)) return { kind: "known" }
  const hadMainFactor = hasMainFactor(factors)
  if (isFirst && hadMainFactor) return { kind: "refused" }
  const factor = await addFactor(services, userId, method, data, factorId).catch(
    async (error: unknown) => {
      if (isAdded(await listFactors(services, userId))) return undefined
      throw error
    },
  )
  if (!factor) return { kind: "known" }
  // A user has one address for codes, and recovery codes of a factor that is gone replace none.
  const keepsCodes = hadMainFactor && (await hasRecoveryCodes(services, factors))
  const isObsolete = (each: AdapterFactor) =>
    each.method === "recovery-codes"
      ? !keepsCodes
      : hadMainFactor && method === "email-codes" && each.method === method
  for (const each of factors.filter(isObsolete)) await deleteFactor(services, each)
  const codes = keepsCodes ? undefined : await addRecoveryCodes(services, userId)
  await mail.sendNotice(services, { id: userId }, addedNotices[method])
  return { kind: "added", factor, ...(codes && { recoveryCodes: codes }) }
}

/** Whether there are recovery codes that can be used: the secret that encrypted them may be gone. */
async function hasRecoveryCodes(
  services: StoreServices,
  factors: readonly AdapterFactor[],
): Promise<boolean> {
  for (const factor of factors)
    if (factor.method === "recovery-codes" && (await tryOpenFactorData(services, factor)))
      return true
  return false
}

const addedNotices = { totp: "app-added", "email-codes": "email-codes-added" } as const

const removedNotices: Readonly<Record<string, SecurityNotice>> = {
  totp: "app-removed",
  "email-codes": "email-codes-removed",
  "recovery-codes": "recovery-codes-removed",
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
  if (isRemoved) await sendRemovalNotice(services, factor)
  return isRemoved
}

/** Tells the user that a factor was removed. Trusted devices are not factors, so there is no notice. */
export async function sendRemovalNotice(
  services: StoreServices,
  { userId, method }: AdapterFactor,
): Promise<void> {
  const notice = removedNotices[method]
  if (notice) await mail.sendNotice(services, { id: userId }, notice)
}
