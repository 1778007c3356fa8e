/** Passkeys for a page of the application. */

import { type ClientFailure, toFailure } from "../client-failure.ts"
import type { Client } from "../create-client.ts"
import { getClientInternals } from "../internals.ts"
import {
  type CeremonyKind,
  type CeremonyOptionsJSON,
  canAutofillPasskeys,
  canUsePasskeys,
  requestCredential,
} from "./ceremony.ts"
import {
  type PasskeyAutofill,
  type PasskeyOptions,
  type PasskeyResult,
  type PasskeySignUp,
  toSignInOptions,
} from "./passkey-types.ts"

/** How passkeys are set up. */
export interface PasskeysOptions {
  /** Id of the provider. @defaultValue `"passkey"` */
  readonly provider?: string
}

/** The functions for passkeys. Each works without its object, and none rejects for what a person or device does. */
export interface Passkeys<S> {
  /** Whether this browser, on this page, can use passkeys. */
  readonly isSupported: () => boolean
  /** Signs in with a passkey that the person picks. */
  readonly signIn: (options?: PasskeyOptions) => Promise<PasskeyResult<S>>
  /** Makes the first passkey of a new user, and signs them in. */
  readonly register: (options: PasskeySignUp) => Promise<PasskeyResult<S>>
  /** Adds a passkey to the user who is signed in. */
  readonly addPasskey: (options?: PasskeyOptions) => Promise<PasskeyResult<S>>
  /**
   * Offers passkeys at a field with `autocomplete="username webauthn"`, until one is picked, `stop` is called, or
   * another of these functions is. To be called when the page is shown.
   */
  readonly autofill: (options?: PasskeyOptions) => PasskeyAutofill<S>
}

/** A challenge is good for fifteen minutes: one that waits at a field is renewed before. */
const challengeRenewalInterval = 600_000

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
  const { httpClient, submitSignIn } = getClientInternals<S>(client)
  const id = encodeURIComponent(provider)
  let activeCeremony = new AbortController()

  /** A browser asks one device at a time. */
  function startCeremony(outer: AbortSignal | undefined): AbortSignal {
    activeCeremony.abort()
    activeCeremony = new AbortController()
    return outer ? AbortSignal.any([outer, activeCeremony.signal]) : activeCeremony.signal
  }

  async function runCeremony(
    kind: CeremonyKind,
    fields: Fields,
    options: PasskeyOptions,
    signal: AbortSignal,
    autofill = false,
  ): Promise<PasskeyResult<S>> {
    if (!canUsePasskeys()) return createPasskeyFailure("unsupported", "NotSupportedError")
    const query = new URLSearchParams({ ...fields, action: kind })
    const optionsReply = await httpClient.getJson(`/webauthn-options/${id}?${query}`)
    if (!optionsReply.ok) return toOptionsFailure(optionsReply)
    const { options: json } = optionsReply.body as { options: CeremonyOptionsJSON } // what the endpoint answers
    let credential: object
    try {
      credential = await requestCredential(kind, json, signal, autofill)
    } catch (error) {
      return toPasskeyFailure(error)
    }
    const credentialFields = { action: kind, data: JSON.stringify(credential) }
    return submitSignIn(
      { path: `/callback/${id}`, completesSignIn: true },
      { ...toSignInOptions(options), ...credentialFields },
    )
  }

  async function offerAutofill(
    options: PasskeyOptions,
    stopSignal: AbortSignal,
  ): Promise<PasskeyResult<S>> {
    if (!(await canAutofillPasskeys()))
      return createPasskeyFailure("unsupported", "NotSupportedError")
    for (;;) {
      if (stopSignal.aborted) return createPasskeyFailure("cancelled", "AbortError")
      const renewalSignal = AbortSignal.timeout(challengeRenewalInterval)
      const result = await runCeremony(
        "authenticate",
        {},
        options,
        AbortSignal.any([stopSignal, renewalSignal]),
        true,
      )
      if (result.kind !== "cancelled" || !renewalSignal.aborted) return result
    }
  }

  return {
    isSupported: canUsePasskeys,
    signIn: (options = {}) =>
      runCeremony("authenticate", {}, options, startCeremony(options.signal)),
    register: (options) =>
      runCeremony("register", options.fields, options, startCeremony(options.signal)),
    addPasskey: (options = {}) =>
      runCeremony("register", { link: "true" }, options, startCeremony(options.signal)),
    autofill(options = {}) {
      const signal = startCeremony(options.signal)
      const ceremony = activeCeremony
      return { stop: () => ceremony.abort(), result: offerAutofill(options, signal) }
    },
  }
}

/** The options endpoint refuses with a status that says why. */
function toOptionsFailure(failure: ClientFailure): ClientFailure {
  if (failure.kind !== "unavailable") return failure
  if (failure.status === 400) return toFailure("InvalidRequest")
  return failure.status === 403 ? toFailure("AccountNotLinked") : failure
}

/** WebAuthn Level 3, sections 5.1.3 and 5.1.4: the names of the errors are all that is told. */
function toPasskeyFailure<S>(error: unknown): PasskeyResult<S> {
  const name = error instanceof Error ? error.name : "UnknownError"
  if (name === "InvalidStateError") return createPasskeyFailure("present", name)
  if (name === "NotAllowedError" || name === "AbortError" || name === "TimeoutError") {
    return createPasskeyFailure("cancelled", name === "NotAllowedError" ? name : "AbortError")
  }
  return createPasskeyFailure("unsupported", name)
}

function createPasskeyFailure<Kind extends string, Name extends string>(kind: Kind, error: Name) {
  return { ok: false, kind, error, url: null } as const
}
