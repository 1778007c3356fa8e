/** The script of the sign-in page for forms with `data-passkey`. `scripts/page-assets.ts` bundles it. */
import {
  type CeremonyKind,
  type CeremonyOptionsJSON,
  canAutofillPasskeys,
  canUsePasskeys,
  challengeRenewalInterval,
  requestCredential,
} from "./ceremony.ts"

const messages: Readonly<Record<string, string>> = {
  InvalidStateError: "This device already has a passkey for you. Sign in with it.",
  NotAllowedError: "No passkey was used. Try again when you are ready.",
  TooManyRequests: "Too many attempts. Wait a few minutes and try again.",
  "Invalid request": "Please check what you entered.",
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
  if (canUsePasskeys()) enableForm(form)
  else form.parentElement?.querySelector("[data-unsupported]")?.removeAttribute("hidden")
}

function enableForm(form: HTMLFormElement): void {
  const message = form.querySelector<HTMLElement>("[role=alert]")
  let activeCeremony = new AbortController()
  form.hidden = false

  async function runCeremony(kind: CeremonyKind, autofill: boolean): Promise<void> {
    activeCeremony.abort()
    activeCeremony = new AbortController()
    const { signal } = activeCeremony
    const options = await fetchOptions(form, kind, signal)
    const credential = await requestCredential(kind, options, signal, autofill)
    setField("action", kind)
    setField("data", JSON.stringify(credential))
    HTMLFormElement.prototype.submit.call(form)
  }

  function setField(name: string, value: string): void {
    const input = form.elements.namedItem(name)
    if (input instanceof HTMLInputElement) input.value = value
  }

  function showError(error: unknown): void {
    const name = error instanceof Error ? error.name : ""
    if (!message || name === "AbortError") return
    message.textContent = messages[name] ?? "That did not work. Please try again."
    message.hidden = false
  }

  /** Shows no errors, because the user did not request anything. */
  async function offerAutofill(): Promise<void> {
    if (!("autofill" in form.dataset) || !(await canAutofillPasskeys())) return
    const renewalTimer = setTimeout(offerAutofill, challengeRenewalInterval)
    await runCeremony("authenticate", true)
      .catch((error) => console.debug("Passkeys are not offered:", error))
      .finally(() => clearTimeout(renewalTimer))
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (message) message.hidden = true
    const { submitter } = event
    const isNew = submitter instanceof HTMLButtonElement && submitter.value === "register"
    if (isNew && !form.reportValidity()) return
    runCeremony(isNew ? "register" : "authenticate", false).catch((error) => {
      showError(error)
      void offerAutofill()
    })
  })
  addEventListener("pageshow", ({ persisted }) => void (persisted && offerAutofill()))
  void offerAutofill()
}

async function fetchOptions(
  form: HTMLFormElement,
  action: CeremonyKind,
  signal: AbortSignal,
): Promise<CeremonyOptionsJSON> {
  const url = new URL(form.dataset["passkey"] ?? "", location.href)
  url.searchParams.set("action", action)
  for (const field of form.querySelectorAll<HTMLInputElement>("input[data-form-field]")) {
    if (field.value) url.searchParams.set(field.name, field.value)
  }
  const response = await fetch(url, { signal })
  const body = await response.json()
  if (response.ok) return body.options
  const error = new Error(body.error)
  error.name = String(body.error)
  throw error
}
