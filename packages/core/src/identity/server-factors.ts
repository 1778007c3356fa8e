/** Adds, lists and removes the second factors of stored users, for server code. */
import type { AttemptCount } from "../adapters.ts"
import type { CoreServices, RunWithServices, StoreServices } from "../config/core-services.ts"
import { requireDatabase } from "../config/stored-accounts.ts"
import { InvalidOption, TooManyRequests } from "../errors.ts"
import {
  hasMainFactor,
  listFactors,
  listStoredFactors,
  renewEncryption,
} from "../flows/second-factor/stored-factors.ts"
import type {
  AddedFactor,
  ConfirmFactorInput,
  EmailCodesSetup,
  FactorInfo,
  FactorInput,
  FactorSetup,
  RemovedFactorInput,
  ServerAuth,
} from "../latchkey-auth.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import { omitUndefined } from "../objects.ts"
import {
  addMainFactor,
  addRecoveryCodes,
  createAppSetup,
  createEmailCodesSetup,
  deleteFactor,
  describeFactor,
  openAppSetup,
  openEmailCodesSetup,
  removeWithDependents,
  sendRemovalNotice,
  verifyAppSetup,
  verifyEmailCodesSetup,
} from "./factors.ts"
import { runOneForUser } from "./one-at-a-time.ts"
import { assertMayLoseFactor, listOwnFactors } from "./own-factors.ts"

/** The services, with the counters of attempts. */
interface FactorServices extends CoreServices {
  readonly attempts: {
    count(key: string, windowSeconds: number, scope: "identifier"): Promise<AttemptCount>
  }
}

/**
 * Counts a code that is sent, or typed: neither goes on without end.
 *
 * @throws TooManyRequests
 */
async function countCode(
  { config, hasher, attempts }: FactorServices,
  userId: string,
): Promise<void> {
  const limit = config.attemptLimits["second-factor"].identifier
  if (!limit) return
  const key = await hasher.hash("attempt", JSON.stringify(["second-factor", "server", userId]))
  const { count, expires } = await attempts.count(key, limit.window, "identifier")
  if (count <= limit.max) return
  throw new TooManyRequests({
    action: "second-factor",
    expected: `at most ${limit.max} codes within ${limit.window} s`,
    received: `code ${count}`,
    hint: 'Wait, or change `attemptLimits["second-factor"].identifier`.',
    retryAfter: Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000)),
  })
}

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

/** Creates the functions. @param run runs each call with the services of a configuration */
export function createServerFactors(run: RunWithServices<FactorServices>): ServerAuth["factors"] {
  return {
    list: (userId) => run((services) => listFactorInfos(services, userId)),
    startTotp: (input) => run((services) => startTotp(services, input)),
    confirmTotp: (input) => run((services) => confirmFactor(services, "totp", input)),
    startEmailCodes: (input) => run((services) => startEmailCodes(services, input)),
    confirmEmailCodes: (input) => run((services) => confirmFactor(services, "email-codes", input)),
    replaceRecoveryCodes: (input) => run((services) => replaceRecoveryCodes(services, input)),
    remove: (input) => run((services) => removeFactor(services, input)),
    removeAll: (userId) => run((services) => removeAllFactors(services, userId)),
    // Names of passkeys are encrypted without the option, too.
    renewEncryption: (userId) =>
      run((services) => renewEncryption(requireDatabase(services), String(userId))),
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
  const { factorId: _, ...setup } = await createAppSetup(services, String(input.userId))
  return setup
}

/** Sends the first code to the address of a user. Nothing is stored until `confirmEmailCodes`. */
async function startEmailCodes(
  coreServices: FactorServices,
  input: FactorInput,
): Promise<EmailCodesSetup> {
  const services = requireFactors(coreServices)
  await listOwnFactors(services, input)
  await countCode(coreServices, String(input.userId))
  const created = await createEmailCodesSetup(services, String(input.userId))
  if (!created)
    throw new TypeError("The user has no address, or `secondFactor.methods` no `emailCodes()`")
  const { address, setup } = created
  return { address, setup }
}

/**
 * Adds an authenticator app or codes by e-mail, once a code proves that the person has it.
 *
 * @returns undefined if the code is wrong, or the setup too old
 */
async function confirmFactor(
  coreServices: FactorServices,
  method: "totp" | "email-codes",
  input: ConfirmFactorInput,
): Promise<AddedFactor | undefined> {
  const services = requireFactors(coreServices)
  await listOwnFactors(services, input)
  const userId = String(input.userId)
  await countCode(coreServices, userId)
  const confirmed =
    method === "totp"
      ? await confirmApp(services, userId, input)
      : await confirmEmailCodes(services, userId, input)
  if (!confirmed) return undefined
  const { setup, data } = confirmed
  const added = await addMainFactor(services, userId, method, setup, data, false)
  if (added.kind !== "added") return undefined
  const { factor, recoveryCodes } = added
  return omitUndefined({ factor, recoveryCodes })
}

async function confirmApp(services: StoreServices, userId: string, input: ConfirmFactorInput) {
  const setup = await openAppSetup(services, userId, input.setup)
  const data = setup && (await verifyAppSetup(services, setup, input.code))
  return data && { setup, data }
}

async function confirmEmailCodes(
  services: StoreServices,
  userId: string,
  input: ConfirmFactorInput,
) {
  const setup = await openEmailCodesSetup(services, userId, input.setup)
  const data = setup && (await verifyEmailCodesSetup(services, setup, input.code))
  return data && { setup, data }
}

/** Replaces the recovery codes of a user, and returns the new ones. */
async function replaceRecoveryCodes(
  coreServices: CoreServices,
  input: FactorInput,
): Promise<readonly string[]> {
  const services = requireFactors(coreServices)
  return runOneForUser(services, input.userId, () => replaceCodes(services, input))
}

async function replaceCodes(
  services: StoreServices,
  input: FactorInput,
): Promise<readonly string[]> {
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
  return runOneForUser(services, input.userId, () => removeOne(services, input))
}

async function removeOne(services: StoreServices, input: RemovedFactorInput): Promise<boolean> {
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
  for (const factor of await listStoredFactors(services, String(userId))) {
    if (!(await deleteFactor(services, factor))) continue
    count += 1
    await sendRemovalNotice(services, factor)
  }
  return count
}
