/** Passkeys for a page of the application. */
import type { Client } from "../create.ts"
import { type Failure, refusal } from "../failure.ts"
import { seamOf } from "../seam.ts"
import {
  ask,
  type CeremonyJSON,
  type CeremonyKind,
  canAutofill,
  canUsePasskeys,
} from "./ceremony.ts"
import {
  entranceOptions,
  type PasskeyAutofill,
  type PasskeyOptions,
  type PasskeyResult,
  type PasskeySignUp,
} from "./results.ts"

/** How passkeys are set up. */
export interface PasskeysOptions {
  /** Id of the provider. @defaultValue `"passkey"` */
  readonly provider?: string
}

/** The functions for passkeys. Each works without its object, and none rejects for what a person or device does. */
export interface Passkeys<S> {
  /** Whether this browser, on this page, can use passkeys. */
  readonly supported: () => boolean
  /** Signs in with a passkey that the person picks. */
  readonly signIn: (options?: PasskeyOptions) => Promise<PasskeyResult<S>>
  /** Makes the first passkey of a new user, and signs them in. */
  readonly register: (options: PasskeySignUp) => Promise<PasskeyResult<S>>
  /** Adds a passkey to the user who is signed in. */
  readonly add: (options?: PasskeyOptions) => Promise<PasskeyResult<S>>
  /**
   * Offers passkeys at a field with `autocomplete="username webauthn"`, until one is picked, `stop` is called, or
   * another of these functions is. To be called when the page is shown.
   */
  readonly autofill: (options?: PasskeyOptions) => PasskeyAutofill<S>
}

/** A challenge is good for fifteen minutes: one that waits at a field is renewed before. */
const renewal = 600_000

type Fields = Readonly<Record<string, string>>

/**
 * Creates the functions for passkeys. They do nothing until one of them is called.
 *
 * @throws TypeError for what `createClient` did not make
 */
export function createPasskeys<S>(
  client: Client<S>,
  { provider = "passkey" }: PasskeysOptions = {},
): Passkeys<S> {
  const { endpoint, enter } = seamOf<S>(client)
  const id = encodeURIComponent(provider)
  let running = new AbortController()

  /** A browser asks one device at a time. */
  function next(outer: AbortSignal | undefined): AbortSignal {
    running.abort()
    running = new AbortController()
    return outer ? AbortSignal.any([outer, running.signal]) : running.signal
  }

  async function run(
    kind: CeremonyKind,
    fields: Fields,
    options: PasskeyOptions,
    signal: AbortSignal,
    autofill = false,
  ): Promise<PasskeyResult<S>> {
    if (!canUsePasskeys()) return unanswered("unsupported", "NotSupportedError")
    const query = new URLSearchParams({ ...fields, action: kind })
    const given = await endpoint.get(`/webauthn-options/${id}?${query}`)
    if (!given.ok) return refusedOptions(given)
    const { options: json } = given.body as { options: CeremonyJSON } // what the endpoint answers
    let answer: object
    try {
      answer = await ask(kind, json, signal, autofill)
    } catch (error) {
      return deviceSaid(error)
    }
    const posted = { action: kind, data: JSON.stringify(answer) }
    return enter(
      { path: `/callback/${id}`, proves: true },
      { ...entranceOptions(options), ...posted },
    )
  }

  async function offer(options: PasskeyOptions, stop: AbortSignal): Promise<PasskeyResult<S>> {
    if (!(await canAutofill())) return unanswered("unsupported", "NotSupportedError")
    for (;;) {
      if (stop.aborted) return unanswered("cancelled", "AbortError")
      const old = AbortSignal.timeout(renewal)
      const result = await run("authenticate", {}, options, AbortSignal.any([stop, old]), true)
      if (result.kind !== "cancelled" || !old.aborted) return result
    }
  }

  return {
    supported: canUsePasskeys,
    signIn: (options = {}) => run("authenticate", {}, options, next(options.signal)),
    register: (options) => run("register", options.fields, options, next(options.signal)),
    add: (options = {}) => run("register", { link: "true" }, options, next(options.signal)),
    autofill(options = {}) {
      const signal = next(options.signal)
      const own = running
      return { stop: () => own.abort(), result: offer(options, signal) }
    },
  }
}

/** The options endpoint refuses with a status that says why. */
function refusedOptions(failure: Failure): Failure {
  if (failure.kind !== "unavailable") return failure
  if (failure.status === 400) return refusal("InvalidRequest")
  return failure.status === 403 ? refusal("AccountNotLinked") : failure
}

/** WebAuthn Level 3, sections 5.1.3 and 5.1.4: the names of the errors are all that is told. */
function deviceSaid<S>(error: unknown): PasskeyResult<S> {
  const name = error instanceof Error ? error.name : "UnknownError"
  if (name === "InvalidStateError") return unanswered("present", name)
  if (name === "NotAllowedError" || name === "AbortError" || name === "TimeoutError") {
    return unanswered("cancelled", name === "NotAllowedError" ? name : "AbortError")
  }
  return unanswered("unsupported", name)
}

function unanswered<Kind extends string, Name extends string>(kind: Kind, error: Name) {
  return { ok: false, kind, error, url: null } as const
}
