/** The script of the sign-in page for forms with `data-passkey`. `scripts/page-assets.ts` bundles it. */
import {
  type CeremonyKind,
  type CeremonyOptionsJSON,
  canAutofillPasskeys,
  canUsePasskeys,
  challengeRenewalInterval,
  requestCredential,
  signalUnknownPasskey,
} from "./ceremony.ts"

/** The attributes of the form that have the text for an error, by its name. */
const messageAttributes: Readonly<Record<string, string>> = {
  InvalidStateError: "textExists",
  NotAllowedError: "textCancelled",
  TooManyRequests: "textTooManyAttempts",
  "Invalid request": "textInvalidInput",
}

/** The form whose passkeys the browser offers in fields. A page can have one request at a time. */
const autofillForm = document.querySelector<HTMLFormElement>("form[data-autofill]")
/** The box of the other buttons, which is also for a passkey that has none. */
const rememberMe = document.querySelector<HTMLInputElement>("#remember-me [type=checkbox]")
let activeCeremony = new AbortController()

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
  if (canUsePasskeys()) enableForm(form)
  else form.parentElement?.querySelector("[data-unsupported]")?.removeAttribute("hidden")
}
addEventListener("pageshow", ({ persisted }) => void (persisted && offerAutofill()))
// First, so that the browser does not offer it again.
void forgetUnknownPasskey().then(offerAutofill)

function enableForm(form: HTMLFormElement): void {
  const message = form.querySelector<HTMLElement>("[role=alert]")
  form.hidden = false
  // Visitors who cannot use passkeys do not see how to create one.
  form.closest("details")?.removeAttribute("hidden")
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (message) message.hidden = true
    const isNew = event.submitter?.getAttribute("value") === "register"
    runCeremony(form, isNew ? "register" : "authenticate", false).catch((error) => {
      const name = String(Object(error).name)
      // Another request took its place.
      if (name === "AbortError") return
      showError(form, message, name)
      void offerAutofill()
    })
  })
}

async function runCeremony(
  form: HTMLFormElement,
  kind: CeremonyKind,
  autofill: boolean,
): Promise<void> {
  activeCeremony.abort()
  activeCeremony = new AbortController()
  const { signal } = activeCeremony
  const options = await fetchOptions(form, kind, signal)
  const credential = await requestCredential(kind, options, signal, autofill)
  setField(form, "action", kind)
  setField(form, "data", JSON.stringify(credential))
  if (rememberMe) setField(form, "rememberMe", String(rememberMe.checked))
  HTMLFormElement.prototype.submit.call(form)
}

/** Tells the browser that the server does not have the passkey with which a sign-in has just failed. */
async function forgetUnknownPasskey(): Promise<void> {
  const form = document.querySelector<HTMLFormElement>("form[data-unknown-passkey]")
  if (!form) return
  const { rpId, id } = JSON.parse(form.dataset["unknownPasskey"] ?? "{}")
  await signalUnknownPasskey(rpId, id).catch((error) =>
    console.debug("The browser was not told about an unknown passkey:", error),
  )
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  const input = form.elements.namedItem(name)
  if (input instanceof HTMLInputElement) input.value = value
}

function showError(form: HTMLFormElement, message: HTMLElement | null, name: string): void {
  if (!message) return
  message.textContent = form.dataset[messageAttributes[name] ?? "textFailed"] ?? ""
  message.hidden = false
}

/** Shows no errors, because the user did not request anything. */
async function offerAutofill(): Promise<void> {
  if (!autofillForm || !(await canAutofillPasskeys())) return
  const renewalTimer = setTimeout(offerAutofill, challengeRenewalInterval)
  await runCeremony(autofillForm, "authenticate", true)
    .catch((error) => console.debug("Passkeys are not offered:", error))
    .finally(() => clearTimeout(renewalTimer))
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
