/** Adds, lists and removes the second factors of stored users, for server code. */
import type { CoreServices, StoreServices } from "../config/core-services.ts"
import { requireDatabase } from "../config/stored-accounts.ts"
import { InvalidOption } from "../errors.ts"
import { hasMainFactor, listFactors } from "../flows/second-factor/stored-factors.ts"
import type {
  AddedFactor,
  EmailCodesSetup,
  FactorInfo,
  FactorInput,
  FactorSetup,
  RemovedFactorInput,
  ServerAuth,
  TotpInput,
} from "../latchkey-auth.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import { omitUndefined } from "../objects.ts"
import {
  addMainFactor,
  addRecoveryCodes,
  createEmailSetup,
  createSetup,
  deleteFactor,
  describeFactor,
  openEmailSetup,
  openSetup,
  removeWithDependents,
  sendRemovalNotice,
  verifyEmailSetup,
  verifySetup,
} from "./factors.ts"
import { assertMayLoseFactor, listOwnFactors } from "./own-factors.ts"

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
    startEmailCodes: (input) => run((services) => startEmailCodes(services, input)),
    confirmEmailCodes: (input) => run((services) => confirmEmailCodes(services, input)),
    replaceRecoveryCodes: (input) => run((services) => replaceRecoveryCodes(services, input)),
    remove: (input) => run((services) => removeFactor(services, input)),
    removeAll: (userId) => run((services) => removeAllFactors(services, userId)),
  }
}

const mail = loadOnFirstCall(() => import("../flows/email/security-mail.ts"))

/** The order of the list, because recovery codes are as old as the first app. */
const order: readonly string[] = ["totp", "email-codes", "recovery-codes", "trusted-device"]

/** Returns the factors of a user, without their secrets. */
async function listFactorInfos(coreServices: CoreServices, userId: string): Promise<FactorInfo[]> {
  const services = requireFactors(coreServices)
  const factors = await listFactors(services, String(userId))
  const infos = await Promise.all(factors.map((factor) => describeFactor(services, factor)))
  return infos.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
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
  const added = await addMainFactor(services, userId, "totp", setup, data, false)
  return added.kind === "added" ? toAddedFactor(added) : undefined
}

const toAddedFactor = ({ factor, recoveryCodes }: AddedFactor): AddedFactor =>
  omitUndefined({ factor, recoveryCodes })

/** Sends the first code to the address of a user. Nothing is stored until `confirmEmailCodes`. */
async function startEmailCodes(
  coreServices: CoreServices,
  input: FactorInput,
): Promise<EmailCodesSetup> {
  const services = requireFactors(coreServices)
  await listOwnFactors(services, input)
  const created = await createEmailSetup(services, String(input.userId))
  if (!created)
    throw new TypeError("The user has no address, or `secondFactor.methods` no `emailCodes()`")
  const { address, setup } = created
  return { address, setup }
}

/**
 * Turns on codes by e-mail, once a code proves that the person reads them.
 *
 * @returns undefined if the code is wrong, or the setup too old
 */
async function confirmEmailCodes(
  coreServices: CoreServices,
  input: TotpInput,
): Promise<AddedFactor | undefined> {
  const services = requireFactors(coreServices)
  await listOwnFactors(services, input)
  const userId = String(input.userId)
  const setup = await openEmailSetup(services, userId, input.setup)
  const data = setup && (await verifyEmailSetup(services, setup, input.code))
  if (!data) return undefined
  const added = await addMainFactor(services, userId, "email-codes", setup, data, false)
  return added.kind === "added" ? toAddedFactor(added) : undefined
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
  await mail.sendNotice(services, { id: userId }, "recovery-codes-added")
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
  await assertMayLoseFactor(services, factor, factors)
  return removeWithDependents(services, factor, factors)
}

/** Removes all factors of a user, and returns how many there were. */
async function removeAllFactors(coreServices: CoreServices, userId: string): Promise<number> {
  const services = requireFactors(coreServices)
  let count = 0
  for (const factor of await listFactors(services, String(userId))) {
    if (!(await deleteFactor(services, factor))) continue
    count += 1
    await sendRemovalNotice(services, factor)
  }
  return count
}
