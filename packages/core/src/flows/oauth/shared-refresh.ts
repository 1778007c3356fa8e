/** One refresh for a refresh token, however many requests and processes want its access token. */
import type { LeaseStore } from "../../adapters.ts"
import { sha256Hex } from "../../crypto/digest.ts"
import { type LockedTask, runExclusive } from "./locked-task.ts"
import { type RefreshedTokens, type RefreshOptions, refreshTokens } from "./refresh-request.ts"

/** Refreshes under way, so that requests of one session do not each spend the refresh token: no more than requests. */
const pendingRefreshes = new Map<string, Promise<RefreshedTokens>>()
/** Those that are done, for requests that still carry the old session cookie. */
const completedRefreshes = new Map<string, Promise<RefreshedTokens>>()
/** How long they are shared, in milliseconds: an answer that was lost leaves the browser with the old cookie. */
const maxShareDuration = 300_000
const maxCompletedRefreshes = 1000

/** What {@link refreshTokensOnce} needs to know. */
export interface SharedRefreshOptions extends RefreshOptions {
  /** Where all processes see who refreshes. */
  readonly leases?: LeaseStore | undefined
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * The new tokens: of the refresh that this call began, or of one that another request, or another process, began.
 *
 * @throws TypeError when the refresh failed; an error of the store when nobody knows whether somebody refreshes
 */
export async function refreshTokensOnce(
  refreshToken: string,
  options: SharedRefreshOptions,
): Promise<RefreshedTokens> {
  const { endpoint, clientId, leases, onError } = options
  const name = `${endpoint} ${clientId} ${refreshToken}`
  const key = await sha256Hex(name)
  const existing = pendingRefreshes.get(key) ?? completedRefreshes.get(key)
  if (existing) return existing
  const task: LockedTask<RefreshedTokens> = {
    key: `refresh ${key}`,
    // Whoever has the cookie has the refresh token: nobody else can read what is left for them.
    secret: name,
    run: () => refreshTokens(refreshToken, options),
    getResultLifetime: (tokens) => getShareableLifetime(tokens, refreshToken),
    onError,
  }
  const refresh = leases ? runExclusive(leases, task) : task.run()
  pendingRefreshes.set(key, refresh)
  refresh.then(
    (tokens) => {
      pendingRefreshes.delete(key)
      shareRefresh(
        key,
        refresh,
        Math.min(maxShareDuration, getShareableLifetime(tokens, refreshToken)),
      )
    },
    () => pendingRefreshes.delete(key),
  )
  return refresh
}

/** A refresh token that stays is used again when the access token is over, which is not to be got for it then. */
function getShareableLifetime(
  { expires_at, refresh_token }: RefreshedTokens,
  refreshToken: string,
): number {
  const isNew = refresh_token !== undefined && refresh_token !== refreshToken
  if (isNew || expires_at === undefined) return Number.POSITIVE_INFINITY
  return expires_at * 1000 - Date.now()
}

function shareRefresh(key: string, tokens: Promise<RefreshedTokens>, duration: number): void {
  if (completedRefreshes.size >= maxCompletedRefreshes)
    completedRefreshes.delete(completedRefreshes.keys().next().value ?? "")
  completedRefreshes.set(key, tokens)
  const timer: unknown = setTimeout(() => completedRefreshes.delete(key), duration)
  // Where timers keep a process alive, this one does not.
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    ;(timer as { unref(): void }).unref()
  }
}
