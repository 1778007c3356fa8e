/** Other tabs, and the other reasons to ask who is signed in. */

export interface Tabs {
  /** Tells the other tabs that who is signed in has changed: nothing more than that. */
  tell(): void
  /** Remembers, past the page, that somebody goes to sign in elsewhere. */
  depart(): void
  /** Tells the other tabs when somebody comes back from there. */
  arrive(): void
  /** Watches for reasons to ask, until the returned function is called. */
  watch(session: Watched): () => void
}

/** What is asked, and why. */
interface Watched {
  /** Another tab told of a change. */
  renew(): void
  /** The page came back from the past, as it was when it was left. */
  ask(): void
  /** The page is in sight again, or online, or it is time. */
  refresh(): void
}

/**
 * @param name tabs with the same name belong together
 * @param pollInterval seconds from one look at the server to the next; 0 for none
 */
export function createTabs(name: string, pollInterval: number): Tabs {
  let own: BroadcastChannel | undefined
  const open = (): BroadcastChannel | undefined =>
    globalThis.BroadcastChannel && new BroadcastChannel(name)

  function tell(): void {
    const channel = own ?? open()
    channel?.postMessage("changed")
    if (channel !== own) channel?.close()
  }

  return {
    tell,
    depart: () => withStorage((storage) => storage.setItem(name, "1")),
    arrive: () =>
      withStorage((storage) => {
        if (!storage.getItem(name)) return
        storage.removeItem(name)
        tell()
      }),
    watch({ renew, ask, refresh }) {
      own = open()
      if (own) own.onmessage = renew
      const { addEventListener: on, document: page } = globalThis
      const stop = new AbortController()
      const look = (): void => {
        if (!page?.hidden) refresh()
      }
      page?.addEventListener("visibilitychange", look, stop)
      on?.("online", look, stop)
      on?.("pageshow", (event) => event.persisted && ask(), stop)
      const timer = pollInterval && setInterval(look, pollInterval * 1000)
      return () => {
        stop.abort()
        clearInterval(timer)
        own?.close()
        own = undefined
      }
    },
  }
}

/** Storage may be missing, forbidden or full: then the other tabs find out when they are looked at. */
function withStorage(use: (storage: Storage) => void): void {
  try {
    use(sessionStorage)
  } catch {
    // See above.
  }
}
