/** The button that adds a passkey. It is shown where there is something to ask. */
import { client } from "@latchkey/core/client"
import { createPasskeys } from "@latchkey/core/client/webauthn"

const passkeys = createPasskeys(client)
const button = document.querySelector<HTMLButtonElement>("#add-passkey")
const message = document.querySelector<HTMLElement>("#passkey-message")

if (button && passkeys.supported()) {
  button.hidden = false
  button.addEventListener("click", () => void add(button))
}

async function add(pressed: HTMLButtonElement): Promise<void> {
  pressed.disabled = true
  tell("")
  // Where it works, the page is left for the one that says so.
  const result = await passkeys.add({ redirectTo: "/account?linked=passkey" })
  pressed.disabled = false
  tell(sentences[result.kind] ?? "That did not work. Please try again.")
}

const sentences: Readonly<Record<string, string>> = {
  cancelled: "No passkey was made. Try again when you are ready.",
  present: "This device has a passkey for you already.",
  "rate-limited": "Too many attempts. Please wait a minute.",
  offline: "The server cannot be reached. Please try again.",
}

function tell(text: string): void {
  if (!message) return
  message.textContent = text
  message.hidden = text === ""
}
