/** Adds, lists and removes the second factors of stored users, for server code. */
import type { AdapterFactor } from "../adapters.ts"
import type { CoreServices, StoreServices } from "../config/core-services.ts"
import { requireDatabase } from "../config/stored-accounts.ts"
import { InvalidOption, LastFactor } from "../errors.ts"
import {
  hasMainFactor,
  isMainFactor,
  listAllFactors,
  listFactors,
} from "../flows/second-factor/stored-factors.ts"
import type {
  AddedFactor,
  FactorInfo,
  FactorInput,
  FactorSetup,
  RemovedFactorInput,
  ServerAuth,
  TotpInput,
} from "../latchkey-auth.ts"
import { requireLevel } from "../sessions/require-level.ts"
import { getSessionInfo } from "../sessions/session-facts.ts"
import type { Session } from "../types.ts"
import {
  addApp,
  addRecoveryCodes,
  createSetup,
  deleteFactor,
  describeFactor,
  openSetup,
  removeWithDependents,
  verifySetup,
} from "./factors.ts"
import { assertFreshSessionOfUser, defaultMaxAge } from "./server-accounts.ts"

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

type RunWithServices = <Result>(
  work: (services: CoreServices) => Promise<Result>,
) => Promise<Result>

/** Creates the functions. @param run runs each call with the services of a configuration */
export function createServerFactors(run: RunWithServices): ServerAuth["factors"] {
  return {
    list: (userId) => run((services) => listFactorInfos(services, userId)),
    startTotp: (input) => run((services) => startTotp(services, input)),
    confirmTotp: (input) => run((services) => confirmTotp(services, input)),
    replaceRecoveryCodes: (input) => run((services) => replaceRecoveryCodes(services, input)),
    remove: (input) => run((services) => removeFactor(services, input)),
    removeAll: (userId) => run((services) => removeAllFactors(services, userId)),
  }
}

/** The order of the list, because recovery codes are as old as the first app. */
const order: readonly string[] = ["totp", "recovery-codes", "trusted-device"]

/** Returns the factors of a user, without their secrets. */
async function listFactorInfos(coreServices: CoreServices, userId: string): Promise<FactorInfo[]> {
  const services = requireFactors(coreServices)
  const factors = await listFactors(services, String(userId))
  const infos = await Promise.all(factors.map((factor) => describeFactor(services, factor)))
  return infos.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
}

/**
 * Returns the factors of a user who may change them: with a fresh session of this user, and with a second factor if there
 * is one, so that whoever has stolen a password, or a session from before, cannot replace it.
 *
 * @throws SessionNotFresh
 */
async function listOwnFactors(
  services: StoreServices,
  input: FactorInput,
): Promise<readonly AdapterFactor[]> {
  const factors = await listAllFactors(services, String(input.userId))
  assertFreshSessionOfUser(input)
  const { session, maxAge = defaultMaxAge } = input
  // An object that is no session says that the application has authenticated the person itself.
  if (getSessionInfo(session as Session) && hasMainFactor(factors))
    requireLevel(session, 2, { maxAge })
  return factors
}

/** Returns a new secret for an authenticator app. Nothing is stored until `confirmTotp`. */
async function startTotp(coreServices: CoreServices, input: FactorInput): Promise<FactorSetup> {
  const services = requireFactors(coreServices)
  await listOwnFactors(services, input)
  const { factorId: _, ...setup } = await createSetup(services, String(input.userId))
  return setup
}

/**
 * Adds an authenticator app, once a code proves that the person has it.
 *
 * @returns undefined if the code is wrong, or the setup too old
 */
async function confirmTotp(
  coreServices: CoreServices,
  input: TotpInput,
): Promise<AddedFactor | undefined> {
  const services = requireFactors(coreServices)
  await listOwnFactors(services, input)
  const userId = String(input.userId)
  const setup = await openSetup(services, userId, input.setup)
  const data = setup && (await verifySetup(services, setup, input.code))
  if (!data) return undefined
  const { kind, ...added } = await addApp(services, userId, setup, data, false)
  return kind === "added" ? (added as AddedFactor) : undefined
}

/** Replaces the recovery codes of a user, and returns the new ones. */
async function replaceRecoveryCodes(
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

/** Removes a factor of a user; with the last authenticator app also the recovery codes. */
async function removeFactor(
  coreServices: CoreServices,
  input: RemovedFactorInput,
): Promise<boolean> {
  const services = requireFactors(coreServices)
  const factors = await listOwnFactors(services, input)
  const factor = factors.find(({ id }) => id === input.id)
  // `accounts.unlink` removes passkeys.
  if (!factor || factor.method === "passkey") return false
  const others = factors.filter((each) => each !== factor)
  if (isMainFactor(factor) && !hasMainFactor(others)) await assertNotRequired(services, factor)
  return removeWithDependents(services, factor, factors)
}

/** @throws LastFactor if the user must have a second factor */
async function assertNotRequired(
  { config, store }: StoreServices,
  { userId }: AdapterFactor,
): Promise<void> {
  const user = (await store.getUser(userId)) ?? { id: userId }
  if (!(await config.secondFactor?.require?.(user, undefined))) return
  throw new LastFactor({
    expected: "another authenticator app",
    received: "none, for a user of whom `secondFactor.require` requires one",
  })
}

/** Removes all factors of a user, and returns how many there were. */
async function removeAllFactors(coreServices: CoreServices, userId: string): Promise<number> {
  const services = requireFactors(coreServices)
  let count = 0
  for (const factor of await listFactors(services, String(userId)))
    if (await deleteFactor(services, factor)) count += 1
  return count
}
