/** The passkeys on the account page: what there is, what can be removed, and the button for another one. */
import { html, type Markup } from "../../shared/html.ts"
import type { OwnPasskey } from "../passkeys.ts"
import { shortDay } from "./dates.ts"
import { passkeySign } from "./signs.ts"

/** What the section shows. */
export interface PasskeyDetails {
  readonly passkeys: readonly OwnPasskey[]
  /** There is another way in, so that the last passkey may go. */
  readonly spare: boolean
}

/** The section with its script. */
export function passkeySection({ passkeys, spare }: PasskeyDetails): Markup {
  const keeps = passkeys.length === 1 && !spare
  return html`<section class="card" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<p class="hint">Sign in with your fingerprint, your face or the PIN of this device. Nothing to remember, nothing to
steal.</p>
${
  passkeys.length > 0 &&
  html`<ul class="ways-in">
${passkeys.map((passkey, index) => row(passkey, index + 1, keeps))}</ul>
`
}<p class="problem" id="passkey-message" role="alert" hidden></p>
<button class="button quiet" id="add-passkey" type="button" hidden>Add a passkey</button>
<noscript><p class="hint">Adding a passkey needs JavaScript.</p></noscript>
<script type="module" src="/passkeys.js"></script>
</section>`
}

function row({ id, addedAt, synced }: OwnPasskey, number: number, keeps: boolean): Markup {
  const place = synced ? "Synchronised" : "On one device"
  const added = addedAt ? `, added ${shortDay(addedAt)}` : ""
  const action = keeps
    ? html`<span class="hint">Only way in</span>`
    : html`<form action="/account/passkeys/${id}/remove" method="post">
<button class="button quiet small" type="submit">Remove<span class="unseen"> passkey ${number}</span></button>
</form>`
  return html`<li class="way-in">${passkeySign}<div><strong>Passkey ${number}</strong>\
<span class="hint">${place}${added}</span></div>${action}</li>
`
}
