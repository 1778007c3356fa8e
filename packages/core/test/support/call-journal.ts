/** A record of all calls to an application during a request, in order. */
import type { AuthConfig } from "@latchkey/core"
import type { TestDatabase } from "./test-database.ts"

type Callbacks = NonNullable<AuthConfig["callbacks"]>
type Events = NonNullable<AuthConfig["events"]>
type FirstParameter<T> = T extends (parameters: infer P) => unknown ? P : never

export interface CallJournal {
  /** Names of callbacks, events (`E …`) and adapter methods, in order. */
  callOrder(): string[]
  /** The parameters of the calls of a callback or event, in order. */
  callbackCalls<Name extends keyof Callbacks>(name: Name): FirstParameter<Callbacks[Name]>[]
  eventCalls<Name extends keyof Events>(name: Name): FirstParameter<Events[Name]>[]
  clear(): void
  readonly config: { callbacks: Required<Callbacks>; events: Required<Events> }
}

/** Records the calls of callbacks and events; `database` adds the calls of the adapter. */
export function createCallJournal(database?: Pick<TestDatabase, "calls">): CallJournal {
  const entries: { name: string; message: unknown }[] = []
  const record = (name: string, message: unknown): void => {
    for (const call of database?.calls.splice(0) ?? [])
      entries.push({ name: call, message: undefined })
    entries.push({ name, message: cloneMessage(message) })
  }
  const recordEvent = (name: string) => (message: unknown) => record(`E ${name}`, message)
  const messagesOf = (name: string) =>
    entries.filter((entry) => entry.name === name).map(({ message }) => message)
  return {
    callOrder() {
      const pendingCalls: readonly string[] = database?.calls ?? []
      return [...entries.map(({ name }) => name), ...pendingCalls]
    },
    // Each name records its own parameter type.
    callbackCalls: (name) => messagesOf(name) as never,
    eventCalls: (name) => messagesOf(`E ${name}`) as never,
    clear() {
      entries.length = 0
      database?.calls.splice(0)
    },
    config: {
      callbacks: {
        signIn(parameters) {
          record("signIn", parameters)
          return true
        },
        redirect: ({ url, baseUrl }) => new URL(url, baseUrl).href,
        jwt(parameters) {
          record("jwt", parameters)
          return parameters.token
        },
        session(parameters) {
          record("session", parameters)
          const { user, expires } = parameters.session
          return { ...(user && { user }), expires }
        },
      },
      events: {
        signIn: recordEvent("signIn"),
        signOut: recordEvent("signOut"),
        createUser: recordEvent("createUser"),
        updateUser: recordEvent("updateUser"),
        linkAccount: recordEvent("linkAccount"),
        unlinkAccount: recordEvent("unlinkAccount"),
        deleteUser: recordEvent("deleteUser"),
        addFactor: recordEvent("addFactor"),
        removeFactor: recordEvent("removeFactor"),
        security: () => {},
        session: recordEvent("session"),
      },
    },
  }
}

/** Copies a value, so that later changes do not matter. Keys with the value undefined remain. */
function cloneMessage(message: unknown): unknown {
  return structuredClone(message)
}
