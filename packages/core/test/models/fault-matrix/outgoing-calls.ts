/** Records every call of a configuration's functions, and lets one of them fail. */
import { customFetch } from "@latchkey/core"
import type { CallFault } from "./call-faults.ts"

type AnyFunction = (...parameters: unknown[]) => unknown

/** The call of a run that fails, and how. */
export interface PlannedFault {
  readonly index: number
  readonly fault: CallFault
}

export class OutgoingCalls {
  /** The names of all wrapped functions, whether they were called or not. */
  readonly names = new Set<string>()
  /** The names of the calls since `start`, in order. */
  calls: string[] = []
  readonly #onHang: (name: string) => void
  #isRecording = false
  #planned: readonly PlannedFault[] = []

  /** @param onHang called when a call never ends */
  constructor(onHang: (name: string) => void) {
    this.#onHang = onHang
  }

  start(planned: readonly PlannedFault[]): void {
    this.calls = []
    this.#planned = planned
    this.#isRecording = true
  }

  stop(): void {
    this.#isRecording = false
  }

  /** Copies plain data, with a recorder around every function in it. */
  wrap<Value>(value: Value, path: string): Value
  wrap(value: unknown, path: string): unknown {
    if (typeof value === "function") return this.wrapFunction(value as AnyFunction, path)
    if (Array.isArray(value)) return value.map((item) => this.wrap(item, joinPath(path, item)))
    if (typeof value !== "object" || value === null) return value
    if (Object.getPrototypeOf(value) !== Object.prototype) return value
    const entries = Reflect.ownKeys(value).map((key) => {
      const member: unknown = Reflect.get(value, key)
      const wrapped =
        key === customFetch
          ? this.wrapFetch(member as typeof fetch)
          : this.wrap(member, joinPath(path, key))
      return [key, wrapped]
    })
    return Object.fromEntries(entries)
  }

  /** Names each request by its endpoint. */
  wrapFetch(real: typeof fetch): typeof fetch {
    const getName = ([input]: readonly unknown[]) => `fetch ${new URL(String(input)).pathname}`
    return this.wrapFunction(real as AnyFunction, "fetch", getName) as typeof fetch
  }

  /** @param getName adds to the name of a call what its parameters say */
  wrapFunction(
    real: AnyFunction,
    name: string,
    getName = (_: readonly unknown[]): string => name,
  ): AnyFunction {
    this.names.add(name)
    return (...parameters) => {
      if (!this.#isRecording) return real(...parameters)
      const called = getName(parameters)
      const index = this.calls.push(called) - 1
      const planned = this.#planned.find((each) => each.index === index)
      if (!planned) return real(...parameters)
      if (planned.fault.hangs) this.#onHang(called)
      return planned.fault.apply(() => real(...parameters), parameters)
    }
  }
}

/** Providers are named by their ids. Their `options` are the same functions again. */
function joinPath(path: string, part: unknown): string {
  if (part === "options") return path
  const isProvider = typeof part === "object" && part !== null && "id" in part
  return [path, String(isProvider ? part.id : part)].filter(Boolean).join(".")
}
