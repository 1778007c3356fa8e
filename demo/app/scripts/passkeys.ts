/** The button that adds a passkey, which is only shown if the browser supports passkeys. */
import { client } from "@latchkey/express/client"
import { createPasskeys } from "@latchkey/express/webauthn"

const passkeys = createPasskeys(client)
const button = document.querySelector<HTMLButtonElement>("#add-passkey")
const message = document.querySelector<HTMLElement>("#passkey-message")

if (button && passkeys.isSupported()) {
  button.hidden = false
  button.addEventListener("click", () => void addPasskey(button))
}

// The browser, and a password manager, forget a passkey that was removed here.
if (new URLSearchParams(location.search).get("removed") === "passkey")
  void passkeys.signalAcceptedPasskeys()

async function addPasskey(addButton: HTMLButtonElement): Promise<void> {
  addButton.disabled = true
  showMessage("")
  // On success, this navigates to `redirectTo`.
  const result = await passkeys.addPasskey({
    redirectTo: "/account/connected-accounts?linked=passkey",
  })
  addButton.disabled = false
  showMessage(messages[result.kind] ?? "The passkey could not be added. Please try again.")
}

const messages: Readonly<Record<string, string>> = {
  cancelled: "No passkey was created. Try again when you are ready.",
  "already-registered": "This device already has a passkey for you.",
  "rate-limited": "Too many attempts. Please wait a minute.",
  offline: "The server cannot be reached. Please try again.",
}

function showMessage(text: string): void {
  if (!message) return
  message.textContent = text
  message.hidden = text === ""
}
