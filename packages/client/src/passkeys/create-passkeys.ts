import { type ClientFailure, createFailure, toFailure } from "../client-failure.ts"
import type { Client } from "../client-types.ts"
import { getClientInternals } from "../internals.ts"
import {
  type AcceptedPasskeysJSON,
  type CeremonyKind,
  type CeremonyOptionsJSON,
  type CredentialJSON,
  canAutofillPasskeys,
  canCreateAutomatically,
  canSignalPasskeys,
  canUsePasskeys,
  challengeRenewalInterval,
  requestCredential,
  signalPasskeys,
  signalUnknownPasskey,
  unknownPasskeyReason,
} from "./ceremony.ts"
import type {
  PasskeyAutofill,
  PasskeyOptions,
  PasskeyResult,
  PasskeySignUp,
} from "./passkey-types.ts"

/** How to set up passkeys. */
export interface PasskeysOptions {
  /** Id of the provider. @defaultValue `"passkey"` */
  readonly provider?: string
}

/**
 * The functions for passkeys. You can use each of them without the object. None rejects when the user or device fails.
 */
export interface Passkeys<S> {
  /** Whether this browser can use passkeys on this page. */
  readonly isSupported: () => boolean
  /** Signs in with a passkey that the user chooses. */
  readonly signIn: (options?: PasskeyOptions) => Promise<PasskeyResult<S>>
  /** Creates the first passkey of a new user, and signs in. */
  readonly register: (options: PasskeySignUp) => Promise<PasskeyResult<S>>
  /** Adds a passkey to the user who is signed in. */
  readonly addPasskey: (options?: PasskeyOptions) => Promise<PasskeyResult<S>>
  /**
   * Adds a passkey without a dialog, if the browser and its password manager can: call it after a sign-in with a password
   * that was saved. Otherwise the result is `unsupported`, or `cancelled`, and nobody notices.
   */
  readonly addPasskeyAutomatically: (options?: PasskeyOptions) => Promise<PasskeyResult<S>>
  /**
   * Tells the browser, and its password manager, which passkeys you accept, and the name of the user who is signed in:
   * after you have deleted a passkey, or when the name has changed. They hide or remove all others. Returns whether the
   * browser supports this.
   */
  readonly signalAcceptedPasskeys: () => Promise<boolean>
  /**
   * Offers passkeys at a field with `autocomplete="username webauthn"`, until the user chooses one, or you call `stop`
   * or another of these functions. Call it when the page is shown.
   */
  readonly autofill: (options?: PasskeyOptions) => PasskeyAutofill<S>
}

/**
 * Creates the functions for passkeys. They do nothing until you call them.
 *
 * @throws TypeError for an object that `createClient` did not create
 */
export function createPasskeys<S>(
  client: Client<S>,
  { provider = "passkey" }: PasskeysOptions = {},
): Passkeys<S> {
  const { httpClient, submitSignIn } = getClientInternals(client)
  const id = encodeURIComponent(provider)
  let activeCeremony = new AbortController()

  /** Aborts the previous ceremony, because browsers run only one at a time. */
  function startCeremony({ signal }: PasskeyOptions): AbortSignal {
    activeCeremony.abort()
    activeCeremony = new AbortController()
    return signal ? AbortSignal.any([signal, activeCeremony.signal]) : activeCeremony.signal
  }

  async function runCeremony(
    action: CeremonyKind,
    fields: Readonly<Record<string, string>>,
    { redirectTo, redirect, rememberMe }: PasskeyOptions,
    signal: AbortSignal,
    isConditional = false,
  ): Promise<PasskeyResult<S>> {
    if (!canUsePasskeys()) return createFailure("unsupported", "NotSupportedError")
    const query = new URLSearchParams({ ...fields, action })
    const reply = await httpClient.getJson<{ options: CeremonyOptionsJSON }>(
      `/webauthn-options/${id}?${query}`,
    )
    if (!reply.ok) return toOptionsFailure(reply)
    const { options } = reply.body
    let credential: CredentialJSON
    try {
      credential = await requestCredential(action, options, signal, isConditional)
    } catch (error) {
      return toPasskeyFailure(error)
    }
    const data = JSON.stringify(credential)
    const sent = { redirectTo, redirect, rememberMe, action, data }
    return submitSignIn(`/callback/${id}`, sent, async (reply) => {
      if (reply.ok || reply.kind !== "refused" || reply.reason !== unknownPasskeyReason) return
      await signalUnknownPasskey(options.rpId, credential.id).catch(() => {})
    })
  }

  async function addPasskeyAutomatically(options: PasskeyOptions = {}): Promise<PasskeyResult<S>> {
    if (!(await canCreateAutomatically())) return createFailure("unsupported", "NotSupportedError")
    const fields = { link: "true", automatic: "true" }
    return runCeremony("register", fields, options, startCeremony(options), true)
  }

  async function signalAcceptedPasskeys(): Promise<boolean> {
    if (!canSignalPasskeys()) return false
    const path = `/webauthn-options/${id}?action=accepted`
    const reply = await httpClient.getJson<{ passkeys: AcceptedPasskeysJSON }>(path)
    if (!reply.ok) return false
    return signalPasskeys(reply.body.passkeys).then(
      () => true,
      () => false,
    )
  }

  async function offerAutofill(
    options: PasskeyOptions,
    stopSignal: AbortSignal,
  ): Promise<PasskeyResult<S>> {
    if (!(await canAutofillPasskeys())) return createFailure("unsupported", "NotSupportedError")
    for (;;) {
      if (stopSignal.aborted) return createFailure("cancelled", "AbortError")
      const renewalSignal = AbortSignal.timeout(challengeRenewalInterval)
      const signal = AbortSignal.any([stopSignal, renewalSignal])
      const result = await runCeremony("authenticate", {}, options, signal, true)
      if (result.kind !== "cancelled" || !renewalSignal.aborted) return result
    }
  }

  return {
    isSupported: canUsePasskeys,
    signIn: (options = {}) => runCeremony("authenticate", {}, options, startCeremony(options)),
    register: (options) => runCeremony("register", options.fields, options, startCeremony(options)),
    addPasskey: (options = {}) =>
      runCeremony("register", { link: "true" }, options, startCeremony(options)),
    addPasskeyAutomatically,
    signalAcceptedPasskeys,
    autofill(options = {}) {
      const signal = startCeremony(options)
      const ceremony = activeCeremony
      return { stop: () => ceremony.abort(), result: offerAutofill(options, signal) }
    },
  }
}

/** Converts a failure of the options endpoint, which refuses requests with a status. */
function toOptionsFailure(failure: ClientFailure): ClientFailure {
  const { kind, status } = failure
  if (kind !== "unavailable" || (status !== 400 && status !== 403)) return failure
  return { ...toFailure(status === 400 ? "InvalidRequest" : "AccountNotLinked"), status }
}

/**
 * Converts an error of the browser, of which only the name is specified (WebAuthn Level 3 sections 5.1.3 and 5.1.4).
 */
function toPasskeyFailure<S>(error: unknown): PasskeyResult<S> {
  const name = String(Object(error).name ?? "UnknownError")
  if (name === "InvalidStateError") return createFailure("already-registered", name)
  if (name === "NotAllowedError") return createFailure("cancelled", name)
  if (name === "AbortError" || name === "TimeoutError") {
    return createFailure("cancelled", "AbortError")
  }
  return createFailure("unsupported", name)
}
