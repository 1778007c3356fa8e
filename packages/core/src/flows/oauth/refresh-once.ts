/** One refresh for a refresh token, however many requests and processes want its access token. */
import type { LeaseStore } from "../../adapters.ts"
import { sha256Hex } from "../../crypto/digest.ts"
import { doOnce, type Errand } from "./lease.ts"
import { type RefreshOptions, type Renewed, requestTokens } from "./refresh.ts"

/** Refreshes under way, so that requests of one session do not each spend the refresh token: no more than requests. */
const running = new Map<string, Promise<Renewed>>()
/** Those that are done, for requests that still carry the old session cookie. */
const done = new Map<string, Promise<Renewed>>()
/** How long they are shared, in milliseconds: an answer that was lost leaves the browser with the old cookie. */
const shared = 300_000
const mostDone = 1000

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
  const known = running.get(key) ?? done.get(key)
  if (known) return known
  const errand: Errand<Renewed> = {
    key: `refresh ${key}`,
    // Whoever has the cookie has the refresh token: nobody else can read what is left for them.
    secret: name,
    work: () => requestTokens(refreshToken, options),
    lastsFor: (renewed) => lastsFor(renewed, refreshToken),
    onError,
  }
  const renewing = leases ? doOnce(leases, errand) : errand.work()
  running.set(key, renewing)
  renewing.then(
    (renewed) => {
      running.delete(key)
      share(key, renewing, Math.min(shared, lastsFor(renewed, refreshToken)))
    },
    () => running.delete(key),
  )
  return renewing
}

/** A refresh token that stays is used again when the access token is over, which is not to be got for it then. */
function lastsFor({ expires_at, refresh_token }: Renewed, refreshToken: string): number {
  const isNew = refresh_token !== undefined && refresh_token !== refreshToken
  if (isNew || expires_at === undefined) return Number.POSITIVE_INFINITY
  return expires_at * 1000 - Date.now()
}

function share(key: string, renewed: Promise<Renewed>, duration: number): void {
  if (done.size >= mostDone) done.delete(done.keys().next().value ?? "")
  done.set(key, renewed)
  const timer: unknown = setTimeout(() => done.delete(key), duration)
  // Where timers keep a process alive, this one does not.
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    ;(timer as { unref(): void }).unref()
  }
}
