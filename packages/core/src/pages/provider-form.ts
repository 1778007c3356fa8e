/** The form with which a provider's sign-in begins. */
import type { CredentialInput } from "../types.ts"
import type { FormProps } from "./form-props.ts"
import { renderHiddenInputs } from "./hidden-inputs.ts"
import { html, type Markup } from "./html.ts"
import { envelopeIcon, keyIcon, renderImageIcon, renderLetterIcon } from "./icons.ts"
import { parseLocalImage } from "./images.ts"
import { renderInput } from "./input.ts"
import { sanitizeUrl } from "./links.ts"
import type { PageProvider } from "./page-provider.ts"
import { renderPasskeyForm } from "./passkey-form.ts"

/** Whether signing in takes a button and nothing else. */
export function isButtonOnly(provider: PageProvider): boolean {
  return provider.type === "oauth" || provider.type === "oidc"
}

/** The form of a provider. */
export function renderProviderForm(props: FormProps): Markup {
  switch (props.provider.type) {
    case "oauth":
    case "oidc":
      return renderOAuthForm(props)
    case "email":
      return renderForm(props, envelopeIcon, [renderEmailInput(props)])
    case "credentials":
      return renderForm(props, keyIcon, renderInputs(props))
    case "webauthn":
      return renderPasskeyForm(props, renderInputs(props))
  }
}

function renderOAuthForm({ provider, csrfToken, callbackUrl, brandColorClass }: FormProps): Markup {
  const logo = parseLocalImage(provider.style?.logo)
  return html`<form action="${sanitizeUrl(provider.action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}<button class="button" type="submit">
${logo ? renderImageIcon(logo.src) : renderLetterIcon(provider.name, brandColorClass)}
<span class="label">Sign in with ${provider.name}</span>
</button>
</form>`
}

function renderForm(props: FormProps, icon: Markup, fields: readonly Markup[]): Markup {
  const { provider, csrfToken, callbackUrl, isFirstForm } = props
  const submitId = isFirstForm ? "submitButton" : `submitButton-${provider.id}`
  return html`<form action="${sanitizeUrl(provider.action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}${fields.map((field) => html`${field}\n`)}\
<button class="${isFirstForm ? "button main" : "button"}" id="${submitId}" type="submit">
${icon}
<span>Sign in with ${provider.name}</span>
</button>
</form>`
}

function renderEmailInput({ provider, email, describedBy, autofocus }: FormProps): Markup {
  const field: CredentialInput = {
    label: "Email",
    type: "email",
    placeholder: "email@example.com",
    autocomplete: "email",
    required: true,
    ...(email !== undefined && { value: email }),
  }
  return renderInput({ providerId: provider.id, name: "email", field, describedBy, autofocus })
}

function renderInputs({ provider, describedBy, autofocus }: FormProps): Markup[] {
  return Object.entries(provider.fields ?? {}).map(([name, field], index) =>
    renderInput({
      providerId: provider.id,
      name,
      field,
      describedBy,
      autofocus: autofocus && index === 0,
      ...(provider.type === "webauthn" && { extra: { "data-form-field": true } }),
    }),
  )
}
