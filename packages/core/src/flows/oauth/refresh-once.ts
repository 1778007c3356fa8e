/** One refresh for a refresh token, however many requests and processes want its access token. */
import type { LeaseStore } from "../../adapters.ts"
import { sha256Hex } from "../../crypto/digest.ts"
import { doOnce, type Errand } from "./lease.ts"
import { type RefreshOptions, type Renewed, requestTokens } from "./refresh.ts"

/** Refreshes under way or just done, so that requests of one session do not each spend the refresh token. */
const running = new Map<string, Promise<Renewed>>()
/** How long an answer is shared after it came, in milliseconds. */
const shared = 10_000
const mostRunning = 1000

/** What {@link refreshOnce} needs to know. */
export interface RefreshOnceOptions extends RefreshOptions {
  /** Where all processes see who refreshes. */
  readonly leases?: LeaseStore | undefined
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * The new tokens: of the refresh that this call began, or of one that another request, or another process, began.
 *
 * @throws TypeError when the refresh failed; an error of the store when nobody knows whether somebody refreshes
 */
export async function refreshOnce(
  refreshToken: string,
  options: RefreshOnceOptions,
): Promise<Renewed> {
  const { endpoint, clientId, leases, onError } = options
  const name = `${endpoint} ${clientId} ${refreshToken}`
  const key = await sha256Hex(name)
  const known = running.get(key)
  if (known) return known
  const errand: Errand<Renewed> = {
    key: `refresh ${key}`,
    // Whoever has the cookie has the refresh token: nobody else can read what is left for them.
    secret: name,
    work: () => requestTokens(refreshToken, options),
    onError,
  }
  const renewing = leases ? doOnce(leases, errand) : errand.work()
  if (running.size >= mostRunning) running.delete(running.keys().next().value ?? "")
  running.set(key, renewing)
  renewing.then(
    () => forgetLater(key),
    () => running.delete(key),
  )
  return renewing
}

/** A request that still carries the old session cookie gets the same answer for a while. */
function forgetLater(key: string): void {
  const timer: unknown = setTimeout(() => running.delete(key), shared)
  // Where timers keep a process alive, this one does not.
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    ;(timer as { unref(): void }).unref()
  }
}
