/** The passkeys on the page of connected accounts. */
import type { PasskeyInfo } from "@latchkey/core"
import { html, type Markup } from "../../shared/html.ts"
import { formatShortDay } from "./dates.ts"
import { hiddenInputs } from "./forms.ts"
import { passkeyIcon } from "./icons.ts"
import { type Item, itemList } from "./items.ts"

/** The path of the forms. */
export const passkeysPath = "/account/passkeys"

export function passkeySection(passkeys: readonly PasskeyInfo[]): Markup {
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

function passkeyItem(passkey: PasskeyInfo, index: number): Item {
  const { id, createdAt, lastUsedAt, isSynced } = passkey
  const name = passkey.name ?? `Passkey ${index + 1}`
  const facts = [
    isSynced ? "Synchronised" : "On one device",
    createdAt && `added ${formatShortDay(createdAt)}`,
    lastUsedAt && `last used ${formatShortDay(lastUsedAt)}`,
  ]
  return {
    picture: passkeyIcon,
    name,
    hint: facts.filter(Boolean).join(", "),
    action: html`${renameForm(id, name)}<form action="${passkeysPath}/remove" method="post">
${hiddenInputs({ id })}<button class="button quiet" type="submit" aria-label="Remove ${lowerFirst(name)}">Remove</button>
</form>`,
  }
}

const renameForm = (id: string, name: string): Markup =>
  html`<details class="rename"><summary>Rename</summary>
<form action="${passkeysPath}/rename" method="post">
${hiddenInputs({ id })}<input name="name" value="${name}" maxlength="64" required aria-label="New name of ${lowerFirst(name)}">
<button class="button quiet" type="submit">Save</button>
</form></details>`

/** "Passkey 1" in a sentence; the name of an authenticator, or of the user, stays. */
const lowerFirst = (name: string): string => name.replace(/^Passkey (?=\d)/, "passkey ")
