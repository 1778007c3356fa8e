/** What is known of the session, and who wants to hear of it. */

import type { ClientFailure } from "./client-failure.ts"
import type { HttpClient } from "./http-client.ts"
import type { TabSync } from "./tab-sync.ts"

/** What an attempt to ask came to. */
export type KnownSessionState<S> =
  /** `stale`: the server could not be asked since; the session is the last one that it told of. */
  | { readonly kind: "signed-in"; readonly session: S; readonly stale: boolean }
  | { readonly kind: "signed-out"; readonly stale: boolean }
  /** The server could not be asked, and there is nothing else to go by. */
  | { readonly kind: "unavailable"; readonly failure: ClientFailure }

/** What is known of the session: `unknown` until somebody asks. Only `signed-in` has a session. */
export type SessionState<S> = { readonly kind: "unknown" } | KnownSessionState<S>

/** Called with what is known. */
export type SessionListener<S> = (state: KnownSessionState<S>) => void

export interface SessionStore<S> {
  getState(): SessionState<S>
  /** Asks the server, together with whoever asks at the same time. Never rejects for a failure. */
  fetchSession(): Promise<KnownSessionState<S>>
  /** Asks anew, because what is known is known to have changed. */
  refetchSession(): Promise<KnownSessionState<S>>
  /** Asks unless the answer would be the one that is known. */
  refreshIfStale(): void
  /** Takes a session that an answer told of. */
  setSession(session: unknown): KnownSessionState<S>
  /**
   * Calls the listener with what is known, as soon as anything is, and with every change. Returns the end of it.
   *
   * @throws TypeError where there is nobody to ask
   */
  subscribe(listener: SessionListener<S>): () => void
}

/** How long an answer is good enough for a page that comes back into sight, in milliseconds. */
const freshFor = 5000

export function createSessionStore<S>(endpoint: HttpClient, tabs: TabSync): SessionStore<S> {
  const listeners = new Set<{ readonly call: SessionListener<S> }>()
  let state: SessionState<S> = { kind: "unknown" }
  let pendingRequest: Promise<KnownSessionState<S>> | undefined
  let fetchedAt = 0
  let stopTabSync: (() => void) | undefined

  function updateState(next: KnownSessionState<S>): KnownSessionState<S> {
    if (JSON.stringify(next) !== JSON.stringify(state)) {
      state = next
      for (const listener of listeners) notifyListener(listener, next)
    }
    return next
  }

  /** In a task of its own: a listener that throws is reported, and stops nobody. */
  function notifyListener(
    listener: { readonly call: SessionListener<S> },
    now: KnownSessionState<S>,
  ): void {
    queueMicrotask(() => listeners.has(listener) && listener.call(now))
  }

  function setSession(session: unknown): KnownSessionState<S> {
    pendingRequest = undefined
    tabs.broadcastIfReturned()
    return updateState(toSessionState<S>(session))
  }

  const fetchSession = (): Promise<KnownSessionState<S>> => pendingRequest ?? requestSession(true)

  function requestSession(allowStale: boolean): Promise<KnownSessionState<S>> {
    fetchedAt = Date.now()
    const request = endpoint.getJson("/session").then((reply) => {
      // Somebody signed in or out meanwhile: this answer may be older than that.
      if (pendingRequest !== request) return fetchSession()
      pendingRequest = undefined
      if (reply.ok) return setSession(reply.body)
      return updateState(
        (allowStale && toStaleState(state)) || { kind: "unavailable", failure: reply },
      )
    })
    pendingRequest = request
    return request
  }

  const store: SessionStore<S> = {
    getState: () => state,
    fetchSession,
    refetchSession: () => requestSession(false),
    refreshIfStale() {
      const isFresh = "stale" in state && !state.stale && Date.now() - fetchedAt < freshFor
      if (!isFresh) void fetchSession()
    },
    setSession,
    subscribe(listener) {
      endpoint.actionUrl("")
      const entry = { call: listener }
      listeners.add(entry)
      if (listeners.size === 1) stopTabSync = tabs.startWatching(store)
      if (state.kind !== "unknown") notifyListener(entry, state)
      else void fetchSession()
      return () => {
        if (listeners.delete(entry) && listeners.size === 0) stopTabSync?.()
      }
    },
  }
  return store
}

function toSessionState<S>(session: unknown): KnownSessionState<S> {
  if (Object.keys(Object(session)).length === 0) return { kind: "signed-out", stale: false }
  // What the application's `session` callback returned, of which the type was taken.
  return { kind: "signed-in", session: session as S, stale: false }
}

/** What is left of a state when the server cannot be asked: a session for no longer than it lasts. */
function toStaleState<S>(state: SessionState<S>): KnownSessionState<S> | undefined {
  if (!("stale" in state)) return undefined
  const isExpired =
    state.kind === "signed-in" && Date.parse(Object(state.session).expires) < Date.now()
  return isExpired ? undefined : { ...state, stale: true }
}
