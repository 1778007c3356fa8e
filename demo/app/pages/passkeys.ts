/** The passkeys on the page of connected accounts. */
import { html, type Markup } from "../../shared/html.ts"
import type { UserPasskey } from "../passkeys.ts"
import { formatShortDay } from "./dates.ts"
import { unlinkForm } from "./forms.ts"
import { passkeyIcon } from "./icons.ts"
import { type Item, itemList } from "./items.ts"

export function passkeySection(passkeys: readonly UserPasskey[]): Markup {
  return html`<section class="card" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<p class="hint">Sign in with your fingerprint, your face or the PIN of this device. There is nothing to remember and nothing to
steal.</p>
${passkeys.length > 0 && itemList(passkeys.map(passkeyItem))}
<p class="problem" id="passkey-message" role="alert" hidden></p>
<button class="button quiet" id="add-passkey" type="button" hidden>Add a passkey</button>
<noscript><p class="hint">Adding a passkey requires JavaScript.</p></noscript>
<script type="module" src="/passkeys.js"></script>
</section>`
}

function passkeyItem({ credentialID, addedAt, isSynced }: UserPasskey, index: number): Item {
  const name = `Passkey ${index + 1}`
  const storage = isSynced ? "Synchronised" : "On one device"
  const account = { provider: "passkey", providerAccountId: credentialID }
  return {
    picture: passkeyIcon,
    name,
    hint: addedAt ? `${storage}, added ${formatShortDay(addedAt)}` : storage,
    action: unlinkForm(account, "Remove", name.toLowerCase()),
  }
}
