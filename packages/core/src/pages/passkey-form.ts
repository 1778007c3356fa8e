/** The form of a passkey provider: shown by the script that it needs, which asks the browser. */
import type { FormProps } from "./form-props.ts"
import { renderHiddenInputs } from "./hidden-inputs.ts"
import { html, type Markup } from "./html.ts"
import { fingerprintIcon } from "./icons.ts"
import { sanitizeUrl } from "./links.ts"

/** @param fields the inputs, ready to be printed */
export function renderPasskeyForm(props: FormProps, fields: readonly Markup[]): Markup {
  const { provider, csrfToken, callbackUrl, isFirstForm } = props
  const { id, name, passkey } = provider
  const scriptAttribute = passkey && html` data-passkey="${sanitizeUrl(passkey.optionsUrl)}"`
  // Checked by the script, and only where a passkey is made: the device knows whose passkeys it has.
  return html`<form id="${id}-form" action="${sanitizeUrl(provider.action)}" method="post"${scriptAttribute}\
${passkey?.autofill && html` data-autofill`} novalidate hidden>
${renderHiddenInputs(csrfToken, callbackUrl)}<input type="hidden" name="action" value="authenticate">
<input type="hidden" name="data" value="">
${fields.map((field) => html`${field}\n`)}<p class="error" role="alert" hidden></p>
<button class="${isFirstForm ? "button main" : "button"}" id="submitButton-${id}" type="submit" value="authenticate">
${fingerprintIcon}
<span>Sign in with ${name}</span>
</button>
<button class="button plain" id="registerButton-${id}" type="submit" value="register">Create a passkey</button>
</form>
<p class="note" data-unsupported hidden>This browser cannot sign in with ${name}.</p>
<noscript><p class="note">Signing in with ${name} needs JavaScript.</p></noscript>`
}
