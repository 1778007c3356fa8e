/** The passkeys on the account page. */
import { html, type Markup } from "../../shared/html.ts"
import type { UserPasskey } from "../passkeys.ts"
import { formatShortDay } from "./dates.ts"
import { passkeyIcon } from "./icons.ts"

export interface PasskeyDetails {
  readonly passkeys: readonly UserPasskey[]
  /** Whether the user can remove the last passkey. */
  readonly hasOtherSignInMethod: boolean
}

export function passkeySection({ passkeys, hasOtherSignInMethod }: PasskeyDetails): Markup {
  const isLastSignInMethod = passkeys.length === 1 && !hasOtherSignInMethod
  return html`<section class="card" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<p class="hint">Sign in with your fingerprint, your face or the PIN of this device. There is nothing to remember and nothing to
steal.</p>
${
  passkeys.length > 0 &&
  html`<ul class="ways-in">
${passkeys.map((passkey, index) => passkeyRow(passkey, index + 1, isLastSignInMethod))}</ul>
`
}<p class="problem" id="passkey-message" role="alert" hidden></p>
<button class="button quiet" id="add-passkey" type="button" hidden>Add a passkey</button>
<noscript><p class="hint">Adding a passkey requires JavaScript.</p></noscript>
<script type="module" src="/passkeys.js"></script>
</section>`
}

function passkeyRow(
  { id, addedAt, isSynced }: UserPasskey,
  number: number,
  isLastSignInMethod: boolean,
): Markup {
  const storage = isSynced ? "Synchronised" : "On one device"
  const addedText = addedAt ? `, added ${formatShortDay(addedAt)}` : ""
  const action = isLastSignInMethod
    ? html`<span class="hint">Only sign-in method</span>`
    : html`<form action="/account/passkeys/${id}/remove" method="post">
<button class="button quiet small" type="submit">Remove<span class="unseen"> passkey ${number}</span></button>
</form>`
  return html`<li class="way-in">${passkeyIcon}<div><strong>Passkey ${number}</strong>\
<span class="hint">${storage}${addedText}</span></div>${action}</li>
`
}
