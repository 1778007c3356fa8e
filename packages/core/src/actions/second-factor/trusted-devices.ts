/**
 * Devices on which a user is not asked for the second factor again. Each has a row among the factors, so that it can be
 * listed and revoked, and a cookie that names the row.
 */
import type { AdapterFactor } from "../../adapters.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import {
  isMainFactor,
  trustedDeviceMethod,
  tryOpenFactorData,
} from "../../flows/second-factor/stored-factors.ts"
import { type CookieDefinition, createHostCookie } from "../../http/cookies.ts"
import { addFactor, deleteFactor } from "../../identity/factors.ts"
import type { FactorMethodId } from "../../latchkey-auth.ts"
import type { ProvenFactor } from "../../sessions/session-strategy.ts"
import type { ActionContext } from "../action-context.ts"

/** Maximum number of devices of a user: the oldest one is forgotten. */
const maxDevices = 10

const getCookie = ({ request }: ActionContext): CookieDefinition =>
  createHostCookie(request.cookieDefinitions, "trusted-device")

/**
 * Trusts the browser of a request, whose user has just proven a factor.
 *
 * @param factorTime in seconds since 1970
 */
export async function trustDevice(
  context: ActionContext,
  factor: AdapterFactor,
  factors: readonly AdapterFactor[],
  factorTime: number,
): Promise<void> {
  const { config, request, sealer } = context
  const { maxAge } = config.secondFactor?.trustDevice ?? {}
  // A recovery code says that the user has lost something.
  if (!maxAge || !isMainFactor(factor)) return
  const services = requireDatabase(context)
  const devices = factors.filter(({ method }) => method === trustedDeviceMethod)
  const now = Date.now()
  for (const [index, device] of devices.entries()) {
    const { expires } = (await tryOpenFactorData(services, device)) ?? { expires: 0 }
    const isOld = index <= devices.length - maxDevices
    if (isOld || Number(expires) <= now) await deleteFactor(services, device)
  }
  const data = { factorId: factor.id, factorTime, expires: now + maxAge * 1000 }
  const { id } = await addFactor(services, factor.userId, trustedDeviceMethod, data)
  const sealed = await sealer.seal("trusted device", { id }, maxAge)
  request.jar.set(getCookie(context), sealed, { maxAge })
}

/**
 * Returns which factor the user proved on the browser of a request, and when; undefined unless it is trusted. The factor
 * must still be there.
 */
export async function findTrustedFactor(
  context: ActionContext,
  factors: readonly AdapterFactor[],
): Promise<ProvenFactor | undefined> {
  const { config, request, sealer } = context
  const cookie = request.cookies.get(getCookie(context).name)
  if (!config.secondFactor?.trustDevice || cookie === undefined) return undefined
  const opened = await sealer.open("trusted device", cookie)
  const device = factors.find(
    ({ id, method }) => method === trustedDeviceMethod && id === opened?.["id"],
  )
  if (!device) return undefined
  const data = await tryOpenFactorData(requireDatabase(context), device)
  const factor = factors.find((each) => isMainFactor(each) && each.id === data?.["factorId"])
  if (!data || !factor || Number(data["expires"]) <= Date.now()) return undefined
  const factorMethod = factor.method as FactorMethodId // of the configured methods
  return { factorTime: Number(data["factorTime"]), factorMethod }
}
