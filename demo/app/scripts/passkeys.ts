/** The button that adds a passkey. It is shown where there is something to ask. */
import { client } from "@latchkey/core/client"
import { createPasskeys } from "@latchkey/core/client/webauthn"

const passkeys = createPasskeys(client)
const button = document.querySelector<HTMLButtonElement>("#add-passkey")
const message = document.querySelector<HTMLElement>("#passkey-message")

if (button && passkeys.isSupported()) {
  button.hidden = false
  button.addEventListener("click", () => void addPasskey(button))
}

async function addPasskey(addButton: HTMLButtonElement): Promise<void> {
  addButton.disabled = true
  showMessage("")
  // Where it works, the page is left for the one that says so.
  const result = await passkeys.addPasskey({ redirectTo: "/account?linked=passkey" })
  addButton.disabled = false
  showMessage(messages[result.kind] ?? "That did not work. Please try again.")
}

const messages: Readonly<Record<string, string>> = {
  cancelled: "No passkey was made. Try again when you are ready.",
  present: "This device has a passkey for you already.",
  "rate-limited": "Too many attempts. Please wait a minute.",
  offline: "The server cannot be reached. Please try again.",
}

function showMessage(text: string): void {
  if (!message) return
  message.textContent = text
  message.hidden = text === ""
}
