/** The state of the session in this page, and its listeners. */
import type { KnownSessionState, SessionListener, SessionState } from "./client-types.ts"
import type { HttpClient } from "./http-client.ts"
import type { TabSync } from "./tab-sync.ts"

/** How long a state is fresh for a page that becomes visible again, in milliseconds. */
const freshFor = 5000

export interface SessionStore<S> {
  getState(): SessionState<S>
  /** Requests the session, or joins a pending request. Never rejects for a failure. */
  fetchSession(): Promise<KnownSessionState<S>>
  /** Requests the session again after it has changed, and notifies the listeners in any case. */
  refetchSession(): Promise<KnownSessionState<S>>
  /** Requests the session unless the state is fresh. */
  refreshIfStale(): void
  /** Stores a session that a response contained. */
  setSession(session: unknown): KnownSessionState<S>
  /**
   * Calls the listener with the state as soon as it is known, and after each change. Returns a function that stops
   * this.
   *
   * @throws TypeError if there is no server to ask
   */
  subscribe(listener: SessionListener<S>): () => void
}

export function createSessionStore<S>(httpClient: HttpClient, tabs: TabSync): SessionStore<S> {
  type Listener = { readonly call: SessionListener<S> }
  const listeners = new Set<Listener>()
  let state: SessionState<S> = { kind: "unknown" }
  let pendingRequest: Promise<KnownSessionState<S>> | undefined
  let fetchedAt = 0
  let stopTabSync: (() => void) | undefined
  /** The state that the listeners know, as JSON. */
  let knownState = ""

  function updateState(next: KnownSessionState<S>): KnownSessionState<S> {
    const nextState = JSON.stringify(next)
    if (nextState !== knownState) {
      knownState = nextState
      state = next
      for (const listener of listeners) notifyListener(listener, next)
    }
    return next
  }

  /** Calls a listener in its own task, so that its errors are reported and do not affect others. */
  function notifyListener(listener: Listener, next: KnownSessionState<S>): void {
    queueMicrotask(() => listeners.has(listener) && listener.call(next))
  }

  function requestSession(allowStale: boolean): Promise<KnownSessionState<S>> {
    fetchedAt = Date.now()
    const request = httpClient.getJson("/session").then((reply) => {
      // The session has changed meanwhile, so this response may be outdated.
      if (pendingRequest !== request) return store.fetchSession()
      pendingRequest = undefined
      if (reply.ok) return store.setSession(reply.body)
      const staleState = allowStale ? toStaleState(state) : undefined
      return updateState(staleState ?? { kind: "unavailable", failure: reply })
    })
    pendingRequest = request
    return request
  }

  const store: SessionStore<S> = {
    getState: () => state,
    fetchSession: () => pendingRequest ?? requestSession(true),
    refetchSession() {
      // This page may have changed the session before, with a form that told nobody.
      knownState = ""
      return requestSession(false)
    },
    refreshIfStale() {
      const isFresh = "stale" in state && !state.stale && Date.now() - fetchedAt < freshFor
      if (!isFresh) void store.fetchSession()
    },
    setSession(session) {
      pendingRequest = undefined
      tabs.broadcastIfReturned()
      const isSignedIn = Object.keys(Object(session)).length > 0
      if (!isSignedIn) return updateState({ kind: "signed-out", stale: false })
      // The result of the application's `session` callback, from which the type is inferred.
      return updateState({ kind: "signed-in", session: session as S, stale: false })
    },
    subscribe(call) {
      httpClient.actionUrl("") // throws if there is no server
      const listener = { call }
      listeners.add(listener)
      if (listeners.size === 1) stopTabSync = tabs.startWatching(store)
      if (state.kind === "unknown") void store.fetchSession()
      else notifyListener(listener, state)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stopTabSync?.()
      }
    },
  }
  return store
}

/** Marks a state as stale. Returns undefined for an unknown state and for a session that has expired. */
function toStaleState<S>(state: SessionState<S>): KnownSessionState<S> | undefined {
  if (!("stale" in state)) return undefined
  const isExpired =
    state.kind === "signed-in" && Date.parse(Object(state.session).expires) < Date.now()
  return isExpired ? undefined : { ...state, stale: true }
}
