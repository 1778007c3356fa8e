/** Adds, lists and removes the second factors of stored users, for server code. */
import type { AdapterFactor, AdapterUser } from "../adapters.ts"
import type { CoreServices, StoreServices } from "../config/core-services.ts"
import { pendingSignInMaxAge } from "../config/defaults.ts"
import { requireDatabase } from "../config/stored-accounts.ts"
import { randomToken } from "../crypto/random.ts"
import { InvalidOption, SessionNotFresh } from "../errors.ts"
import type { FactorData } from "../factor-method.ts"
import { countRecoveryCodes, createRecoveryCodes } from "../flows/second-factor/recovery-codes.ts"
import {
  hasMainFactor,
  listFactors,
  openFactorData,
  sealFactorData,
} from "../flows/second-factor/stored-factors.ts"
import { createTotpData, createTotpSecret, createTotpUrl } from "../flows/second-factor/totp.ts"
import type {
  AddedFactor,
  FactorInfo,
  FactorInput,
  FactorSetup,
  RemovedFactorInput,
  TotpInput,
} from "../latchkey-auth.ts"
import { getSessionInfo } from "../sessions/session-facts.ts"
import type { Session } from "../types.ts"
import { assertFreshSessionOfUser } from "./server-accounts.ts"

/** @throws InvalidOption without the option `secondFactor` */
function requireFactors(services: CoreServices): StoreServices {
  if (services.config.secondFactor) return requireDatabase(services)
  throw new InvalidOption({
    option: "secondFactor",
    expected: "the option `secondFactor`",
    received: "nothing",
    hint: "Write `secondFactor: { methods: [totp(), recoveryCodes()] }`.",
  })
}

/** Returns the factors of a user, without their secrets. */
export async function listFactorInfos(
  coreServices: CoreServices,
  userId: string,
): Promise<FactorInfo[]> {
  const services = requireFactors(coreServices)
  const factors = await listFactors(services, String(userId))
  const infos = await Promise.all(factors.map((factor) => describeFactor(services, factor)))
  // They are as old as the first app.
  const isLast = ({ method }: FactorInfo) => Number(method === "recovery-codes")
  return infos.sort((a, b) => isLast(a) - isLast(b))
}

async function describeFactor(services: StoreServices, factor: AdapterFactor): Promise<FactorInfo> {
  const { id, createdAt } = factor
  if (factor.method !== "recovery-codes") return { id, method: "totp", createdAt }
  const left = countRecoveryCodes(await openFactorData(services, factor))
  return { id, method: "recovery-codes", createdAt, left }
}

/**
 * Checks that the person may change the factors of a user: with a fresh session of this user, and with a second factor if
 * there is one, so that whoever has stolen a password, or a session from before, cannot replace it.
 *
 * @throws SessionNotFresh
 */
function assertMayChangeFactors(input: FactorInput, factors: readonly AdapterFactor[]): void {
  assertFreshSessionOfUser(input)
  const info = getSessionInfo(input.session as Session)
  if (!info || info.level === 2 || !hasMainFactor(factors)) return
  throw new SessionNotFresh({
    expected: "a session whose user has proven their second factor",
    received: "a session from before the user had one",
    hint: "Let the user sign in again.",
  })
}

/** Returns the factors of a user who may change them. @throws SessionNotFresh */
async function listOwnFactors(services: StoreServices, input: FactorInput) {
  const factors = await listFactors(services, String(input.userId))
  assertMayChangeFactors(input, factors)
  return factors
}

/** Returns a new secret for an authenticator app. Nothing is stored until `confirmTotp`. */
export async function startTotp(
  coreServices: CoreServices,
  input: FactorInput,
): Promise<FactorSetup> {
  const services = requireFactors(coreServices)
  await listOwnFactors(services, input)
  const { config, store, sealer } = services
  const userId = String(input.userId)
  const user = await store.getUser(userId)
  const host = config.authUrlOrigin ? new URL(config.authUrlOrigin).host : "Application"
  const { issuer } = config.secondFactor?.methods.find(({ id }) => id === "totp") ?? {}
  const secret = createTotpSecret()
  const account = user?.email || user?.name || userId
  const url = createTotpUrl(secret, issuer ?? config.theme.name ?? host, account)
  const setup = await sealer.seal("factor setup", { userId, secret }, pendingSignInMaxAge)
  return { secret, url, setup }
}

/**
 * Adds an authenticator app, once a code proves that the person has it.
 *
 * @returns undefined if the code is wrong, or the setup too old
 */
export async function confirmTotp(
  coreServices: CoreServices,
  input: TotpInput,
): Promise<AddedFactor | undefined> {
  const services = requireFactors(coreServices)
  const factors = await listOwnFactors(services, input)
  const userId = String(input.userId)
  const opened = await services.sealer.open("factor setup", input.setup)
  const method = services.config.secondFactor?.methods.find(({ id }) => id === "totp")
  if (opened?.["userId"] !== userId || !method) return undefined
  const data = createTotpData(String(opened["secret"]))
  // The code of the setup cannot be used for a sign-in, too.
  const verified = await method.verify(data, input.code, Date.now())
  if (!verified) return undefined
  const factor = await addFactor(services, userId, "totp", verified)
  const hasCodes = factors.some((each) => each.method === "recovery-codes")
  const codes = hasCodes ? undefined : await addRecoveryCodes(services, userId)
  return { factor, ...(codes && { recoveryCodes: codes }) }
}

/** Replaces the recovery codes of a user, and returns the new ones. */
export async function replaceRecoveryCodes(
  coreServices: CoreServices,
  input: FactorInput,
): Promise<readonly string[]> {
  const services = requireFactors(coreServices)
  const factors = await listOwnFactors(services, input)
  const userId = String(input.userId)
  if (!hasMainFactor(factors))
    throw new TypeError("Recovery codes replace another factor: add an authenticator app first")
  const codes = await addRecoveryCodes(services, userId)
  if (!codes) throw new TypeError("`secondFactor.methods` must have `recoveryCodes()`")
  const old = factors.filter(({ method }) => method === "recovery-codes")
  for (const factor of old) await deleteFactor(services, factor)
  return codes
}

/** Adds recovery codes; undefined if the configuration has none. */
async function addRecoveryCodes(services: StoreServices, userId: string) {
  const { methods = [] } = services.config.secondFactor ?? {}
  if (!methods.some(({ id }) => id === "recovery-codes")) return undefined
  const { codes, data } = await createRecoveryCodes()
  await addFactor(services, userId, "recovery-codes", data)
  return codes
}

async function addFactor(
  services: StoreServices,
  userId: string,
  method: FactorInfo["method"],
  data: FactorData,
): Promise<FactorInfo> {
  const { store, emitEvent } = services
  const key = { id: randomToken(), userId, method }
  const sealed = await sealFactorData(services, key, data)
  const factor = { ...key, createdAt: new Date(), version: 0, data: sealed }
  await store.createFactor(factor)
  const info = await describeFactor(services, factor)
  const user = await findUser(services, userId)
  await emitEvent("addFactor", { user, factor: info }, undefined)
  return info
}

/** Returns the stored user. With credentials and sealed sessions, an application may store its users itself. */
const findUser = async (
  { store }: StoreServices,
  id: string,
): Promise<AdapterUser | { id: string }> => (await store.getUser(id)) ?? { id }

/** Deletes a factor, and sends the event unless another request was first. */
async function deleteFactor(services: StoreServices, factor: AdapterFactor): Promise<boolean> {
  const { store, emitEvent } = services
  const { id, createdAt, userId } = factor
  if (!(await store.deleteFactor(id))) return false
  const method = factor.method as FactorInfo["method"] // of the configured methods
  const user = await findUser(services, userId)
  await emitEvent("removeFactor", { user, factor: { id, method, createdAt } }, undefined)
  return true
}

/** Removes a factor of a user; with the last authenticator app also the recovery codes. */
export async function removeFactor(
  coreServices: CoreServices,
  input: RemovedFactorInput,
): Promise<boolean> {
  const services = requireFactors(coreServices)
  const factors = await listOwnFactors(services, input)
  const factor = factors.find(({ id }) => id === input.id)
  if (!factor) return false
  const others = factors.filter((each) => each !== factor)
  const isRemoved = await deleteFactor(services, factor)
  if (!hasMainFactor(others)) for (const each of others) await deleteFactor(services, each)
  return isRemoved
}

/** Removes all factors of a user, and returns how many there were. */
export async function removeAllFactors(
  coreServices: CoreServices,
  userId: string,
): Promise<number> {
  const services = requireFactors(coreServices)
  let count = 0
  for (const factor of await listFactors(services, String(userId)))
    if (await deleteFactor(services, factor)) count += 1
  return count
}
