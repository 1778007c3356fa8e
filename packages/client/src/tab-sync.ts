/** Keeps the session in sync with other tabs, and refreshes it when the page becomes active. */

export interface TabSync {
  /** Tells the other tabs that the session has changed. */
  broadcastChange(): void
  /** Remembers, beyond this page, that a sign-in continues elsewhere. */
  markSignInStarted(): void
  /** Tells the other tabs when the browser has returned from a sign-in elsewhere. */
  broadcastIfReturned(): void
  /** Requests the session for the reasons below. Returns a function that stops this. */
  startWatching(session: SessionRefresher): () => void
}

/** The requests, by their reasons. */
interface SessionRefresher {
  /** Another tab reported a change. */
  refetchSession(): void
  /** The browser restored the page from its cache. */
  fetchSession(): void
  /** The page became visible or online, or the poll interval passed. */
  refreshIfStale(): void
}

/**
 * @param name tabs with the same name stay in sync
 * @param pollInterval in seconds; 0 for none
 */
export function createTabSync(name: string, pollInterval: number): TabSync {
  let openChannel: BroadcastChannel | undefined
  const createChannel = (): BroadcastChannel | undefined =>
    globalThis.BroadcastChannel && new BroadcastChannel(name)

  function broadcastChange(): void {
    const channel = openChannel ?? createChannel()
    channel?.postMessage("changed")
    if (channel !== openChannel) channel?.close()
  }

  return {
    broadcastChange,
    markSignInStarted: () => withStorage((storage) => storage.setItem(name, "1")),
    broadcastIfReturned: () =>
      withStorage((storage) => {
        if (!storage.getItem(name)) return
        storage.removeItem(name)
        broadcastChange()
      }),
    startWatching({ refetchSession, fetchSession, refreshIfStale }) {
      openChannel = createChannel()
      if (openChannel) openChannel.onmessage = refetchSession
      const { addEventListener: on, document: pageDocument } = globalThis
      const abortController = new AbortController()
      const refreshIfVisible = (): void => {
        if (!pageDocument?.hidden) refreshIfStale()
      }
      pageDocument?.addEventListener("visibilitychange", refreshIfVisible, abortController)
      on?.("online", refreshIfVisible, abortController)
      on?.("pageshow", (event) => event.persisted && fetchSession(), abortController)
      const timer = pollInterval && setInterval(refreshIfVisible, pollInterval * 1000)
      return () => {
        abortController.abort()
        clearInterval(timer)
        openChannel?.close()
        openChannel = undefined
      }
    },
  }
}

/** Ignores a storage that is missing, blocked or full. Other tabs then refresh when they become visible. */
function withStorage(callback: (storage: Storage) => void): void {
  try {
    callback(sessionStorage)
  } catch {
    // See above.
  }
}
