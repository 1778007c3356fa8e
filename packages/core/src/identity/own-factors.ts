/** Who may change second factors: their user, in a fresh session that has proven the factor that there is. */
import type { AdapterFactor } from "../adapters.ts"
import type { StoreServices } from "../config/core-services.ts"
import { LastFactor } from "../errors.ts"
import { base64ToBase64Url } from "../flows/passkeys/credential.ts"
import {
  hasMainFactor,
  isMainFactor,
  listAllFactors,
} from "../flows/second-factor/stored-factors.ts"
import type { FactorInput, UnlinkInput } from "../latchkey-auth.ts"
import { requireLevel } from "../sessions/require-level.ts"
import { getSessionInfo } from "../sessions/session-facts.ts"
import type { Session } from "../types.ts"
import { deleteFactor } from "./factors.ts"
import { assertFreshSessionOfUser, defaultMaxAge } from "./fresh-session.ts"

/**
 * Returns the factors of a user who may change them: with a fresh session of this user, and with a second factor if there
 * is one, so that whoever has stolen a password, or a session from before, cannot replace it.
 *
 * @throws SessionNotFresh
 */
export async function listOwnFactors(
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

/**
 * Checks that a user may lose a factor.
 *
 * @throws LastFactor if it is the last one of a user who must have one
 */
export async function assertMayLoseFactor(
  { config, store }: StoreServices,
  factor: AdapterFactor,
  factors: readonly AdapterFactor[],
): Promise<void> {
  if (!isMainFactor(factor) || hasMainFactor(factors.filter((each) => each !== factor))) return
  const { userId } = factor
  const user = (await store.getUser(userId)) ?? { id: userId }
  if (!(await config.secondFactor?.require?.(user, undefined))) return
  throw new LastFactor({
    expected: "another second factor",
    received: "none, for a user of whom `secondFactor.require` requires one",
  })
}

/**
 * Checks that a user may lose an account if that is a second factor.
 *
 * @throws SessionNotFresh, LastFactor
 */
export async function assertMayUnlinkFactor(
  services: StoreServices,
  input: UnlinkInput,
): Promise<void> {
  const factors = await listAllFactors(services, String(input.userId))
  const id = base64ToBase64Url(String(input.providerAccountId))
  const factor = factors.find(
    (each) => each.method === "passkey" && base64ToBase64Url(each.id) === id,
  )
  if (!factor) return
  await listOwnFactors(services, input)
  await assertMayLoseFactor(services, factor, factors)
}

/** Removes what is left of a user who has lost their last factor: recovery codes replace one, and devices remember one. */
export async function removeDependents(services: StoreServices, userId: string): Promise<void> {
  const factors = await listAllFactors(services, userId)
  if (hasMainFactor(factors)) return
  for (const factor of factors) await deleteFactor(services, factor)
}
