/** Other tabs, and the other reasons to ask who is signed in. */

export interface TabSync {
  /** Tells the other tabs that who is signed in has changed: nothing more than that. */
  broadcastChange(): void
  /** Remembers, past the page, that somebody goes to sign in elsewhere. */
  markSignInStarted(): void
  /** Tells the other tabs when somebody comes back from there. */
  broadcastIfReturned(): void
  /** Watches for reasons to ask, until the returned function is called. */
  startWatching(session: SessionRefresher): () => void
}

/** What is asked, and why. */
interface SessionRefresher {
  /** Another tab told of a change. */
  refetchSession(): void
  /** The page came back from the past, as it was when it was left. */
  fetchSession(): void
  /** The page is in sight again, or online, or it is time. */
  refreshIfStale(): void
}

/**
 * @param name tabs with the same name belong together
 * @param pollInterval seconds from one look at the server to the next; 0 for none
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

/** Storage may be missing, forbidden or full: then the other tabs find out when they are looked at. */
function withStorage(callback: (storage: Storage) => void): void {
  try {
    callback(sessionStorage)
  } catch {
    // See above.
  }
}
