/** The form with which a provider's sign-in begins. */
import type { CredentialInput } from "../types.ts"
import type { FormProps } from "./form-props.ts"
import { hiddenInputs } from "./hidden-inputs.ts"
import { html, type Markup } from "./html.ts"
import { localImage } from "./images.ts"
import { input } from "./input.ts"
import { webUrl } from "./links.ts"
import { envelope, key, letterMark, pictureMark } from "./marks.ts"
import { passkeyForm } from "./passkey-form.ts"
import type { PageProvider } from "./provider.ts"

/** Whether signing in takes a button and nothing else. */
export function isOneButton(provider: PageProvider): boolean {
  return provider.type === "oauth" || provider.type === "oidc"
}

/** The form of a provider. */
export function providerForm(props: FormProps): Markup {
  switch (props.provider.type) {
    case "oauth":
    case "oidc":
      return oauthForm(props)
    case "email":
      return form(props, envelope, [emailInput(props)])
    case "credentials":
      return form(props, key, inputs(props))
    case "webauthn":
      return passkeyForm(props, inputs(props))
  }
}

function oauthForm({ provider, csrfToken, callbackUrl, tint }: FormProps): Markup {
  const logo = localImage(provider.style?.logo)
  return html`<form action="${webUrl(provider.action)}" method="post">
${hiddenInputs(csrfToken, callbackUrl)}<button class="button" type="submit">
${logo ? pictureMark(logo.src) : letterMark(provider.name, tint)}
<span class="label">Sign in with ${provider.name}</span>
</button>
</form>`
}

function form(props: FormProps, icon: Markup, fields: readonly Markup[]): Markup {
  const { provider, csrfToken, callbackUrl, first } = props
  const submitId = first ? "submitButton" : `submitButton-${provider.id}`
  return html`<form action="${webUrl(provider.action)}" method="post">
${hiddenInputs(csrfToken, callbackUrl)}${fields.map((field) => html`${field}\n`)}\
<button class="${first ? "button main" : "button"}" id="${submitId}" type="submit">
${icon}
<span>Sign in with ${provider.name}</span>
</button>
</form>`
}

function emailInput({ provider, email, describedBy, autofocus }: FormProps): Markup {
  const field: CredentialInput = {
    label: "Email",
    type: "email",
    placeholder: "email@example.com",
    autocomplete: "email",
    required: true,
    ...(email !== undefined && { value: email }),
  }
  return input({ providerId: provider.id, name: "email", field, describedBy, autofocus })
}

function inputs({ provider, describedBy, autofocus }: FormProps): Markup[] {
  return Object.entries(provider.fields ?? {}).map(([name, field], index) =>
    input({
      providerId: provider.id,
      name,
      field,
      describedBy,
      autofocus: autofocus && index === 0,
      ...(provider.type === "webauthn" && { extra: { "data-form-field": true } }),
    }),
  )
}
