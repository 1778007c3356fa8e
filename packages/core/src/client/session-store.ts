/** What is known of the session, and who wants to hear of it. */
import type { Endpoint } from "./endpoint.ts"
import type { Failure } from "./failure.ts"
import type { Tabs } from "./tabs.ts"

/** What an attempt to ask came to. */
export type KnownState<S> =
  /** `stale`: the server could not be asked since; the session is the last one that it told of. */
  | { readonly kind: "signed-in"; readonly session: S; readonly stale: boolean }
  | { readonly kind: "signed-out"; readonly stale: boolean }
  /** The server could not be asked, and there is nothing else to go by. */
  | { readonly kind: "unavailable"; readonly failure: Failure }

/** What is known of the session: `unknown` until somebody asks. Only `signed-in` has a session. */
export type SessionState<S> = { readonly kind: "unknown" } | KnownState<S>

/** Called with what is known. */
export type SessionListener<S> = (state: KnownState<S>) => void

export interface SessionStore<S> {
  state(): SessionState<S>
  /** Asks the server, together with whoever asks at the same time. Never rejects for a failure. */
  ask(): Promise<KnownState<S>>
  /** Asks anew, because what is known is known to have changed. */
  renew(): Promise<KnownState<S>>
  /** Asks unless the answer would be the one that is known. */
  refresh(): void
  /** Takes a session that an answer told of. */
  put(session: unknown): KnownState<S>
  /**
   * Calls the listener with what is known, as soon as anything is, and with every change. Returns the end of it.
   *
   * @throws TypeError where there is nobody to ask
   */
  listen(listener: SessionListener<S>): () => void
}

/** How long an answer is good enough for a page that comes back into sight, in milliseconds. */
const fresh = 5000

export function createSessionStore<S>(endpoint: Endpoint, tabs: Tabs): SessionStore<S> {
  const listeners = new Set<{ readonly call: SessionListener<S> }>()
  let state: SessionState<S> = { kind: "unknown" }
  let reading: Promise<KnownState<S>> | undefined
  let askedAt = 0
  let unwatch: (() => void) | undefined

  function settle(next: KnownState<S>): KnownState<S> {
    if (JSON.stringify(next) !== JSON.stringify(state)) {
      state = next
      for (const listener of listeners) call(listener, next)
    }
    return next
  }

  /** In a task of its own: a listener that throws is reported, and stops nobody. */
  function call(listener: { readonly call: SessionListener<S> }, now: KnownState<S>): void {
    queueMicrotask(() => listeners.has(listener) && listener.call(now))
  }

  function put(session: unknown): KnownState<S> {
    reading = undefined
    tabs.arrive()
    return settle(stateOf<S>(session))
  }

  const ask = (): Promise<KnownState<S>> => reading ?? read(true)

  function read(trusting: boolean): Promise<KnownState<S>> {
    askedAt = Date.now()
    const own = endpoint.get("/session").then((answer) => {
      // Somebody signed in or out meanwhile: this answer may be older than that.
      if (reading !== own) return ask()
      reading = undefined
      if (answer.ok) return put(answer.body)
      return settle((trusting && aged(state)) || { kind: "unavailable", failure: answer })
    })
    reading = own
    return own
  }

  const store: SessionStore<S> = {
    state: () => state,
    ask,
    renew: () => read(false),
    refresh() {
      const isFresh = "stale" in state && !state.stale && Date.now() - askedAt < fresh
      if (!isFresh) void ask()
    },
    put,
    listen(listener) {
      endpoint.url("")
      const own = { call: listener }
      listeners.add(own)
      if (listeners.size === 1) unwatch = tabs.watch(store)
      if (state.kind !== "unknown") call(own, state)
      else void ask()
      return () => {
        if (listeners.delete(own) && listeners.size === 0) unwatch?.()
      }
    },
  }
  return store
}

function stateOf<S>(session: unknown): KnownState<S> {
  if (Object.keys(Object(session)).length === 0) return { kind: "signed-out", stale: false }
  // What the application's `session` callback returned, of which the type was taken.
  return { kind: "signed-in", session: session as S, stale: false }
}

/** What is left of a state when the server cannot be asked: a session for no longer than it lasts. */
function aged<S>(state: SessionState<S>): KnownState<S> | undefined {
  if (!("stale" in state)) return undefined
  const isOver =
    state.kind === "signed-in" && Date.parse(Object(state.session).expires) < Date.now()
  return isOver ? undefined : { ...state, stale: true }
}
