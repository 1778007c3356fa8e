/** A record of everything that an application is told during a request, in order. */
import type { AuthConfig } from "@latchkey/core"
import type { World } from "./world.ts"

type Callbacks = NonNullable<AuthConfig["callbacks"]>
type Events = NonNullable<AuthConfig["events"]>
type Parameters0<T> = T extends (parameters: infer P) => unknown ? P : never

export interface Journal {
  /** Names of callbacks, events (`E …`) and adapter methods, in order. */
  order(): string[]
  /** What a callback or event was told, in order. */
  told<Name extends keyof Callbacks>(name: Name): Parameters0<Callbacks[Name]>[]
  event<Name extends keyof Events>(name: Name): Parameters0<Events[Name]>[]
  forget(): void
  readonly config: { callbacks: Required<Callbacks>; events: Required<Events> }
}

/** Notes what callbacks and events are told; `world` adds the calls of the adapter. */
export function journal(world?: Pick<World, "calls">): Journal {
  const entries: { name: string; message: unknown }[] = []
  const note = (name: string, message: unknown): void => {
    for (const call of world?.calls.splice(0) ?? [])
      entries.push({ name: call, message: undefined })
    entries.push({ name, message: copyOf(message) })
  }
  const event = (name: string) => (message: unknown) => note(`E ${name}`, message)
  const told = (name: string) =>
    entries.filter((entry) => entry.name === name).map(({ message }) => message)
  return {
    order() {
      const rest: readonly string[] = world?.calls ?? []
      return [...entries.map(({ name }) => name), ...rest]
    },
    // Each name notes what its own type is told.
    told: (name) => told(name) as never,
    event: (name) => told(`E ${name}`) as never,
    forget() {
      entries.length = 0
      world?.calls.splice(0)
    },
    config: {
      callbacks: {
        signIn(parameters) {
          note("signIn", parameters)
          return true
        },
        redirect: ({ url, baseUrl }) => new URL(url, baseUrl).href,
        jwt(parameters) {
          note("jwt", parameters)
          return parameters.token
        },
        session(parameters) {
          note("session", parameters)
          const { user, expires } = parameters.session
          return { ...(user && { user }), expires }
        },
      },
      events: {
        signIn: event("signIn"),
        signOut: event("signOut"),
        createUser: event("createUser"),
        updateUser: event("updateUser"),
        linkAccount: event("linkAccount"),
        session: event("session"),
      },
    },
  }
}

/** What was said then, whatever is changed later. Keys that are there but undefined stay. */
function copyOf(message: unknown): unknown {
  return structuredClone(message)
}
