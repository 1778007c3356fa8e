/** The forms of the sign-in page, one for each provider. */
import type { CredentialInput, ProviderType } from "../types.ts"
import { html, type Markup, renderAttributes } from "./html.ts"
import { formIcons, renderImageIcon, renderLetterIcon } from "./icons.ts"
import { renderHiddenInputs, renderInput } from "./input.ts"
import { parseLocalImage, sanitizeUrl } from "./urls.ts"

/** A way to sign in, as the sign-in page offers it. */
export interface PageProvider {
  id: string
  name: string
  type: ProviderType
  /** Absolute URL the form posts to. */
  action: string
  style?: { logo?: string | undefined; brandColor?: string | undefined } | undefined
  /** Fields of the form, for credentials and passkeys. */
  fields?: Record<string, CredentialInput> | undefined
  /** Where the script of a passkey form requests options, and whether browsers offer passkeys in a field. */
  passkey?: { optionsUrl: string; autofill: boolean } | undefined
}

/** The values that all forms of a page share. */
export interface FormContext {
  csrfToken: string | undefined
  callbackUrl: string
  /** Error code of the query, which selects the message. */
  error?: string | undefined
  /** Initial value of the email form. */
  email?: string | undefined
}

interface ProviderFormProps extends FormContext {
  readonly provider: PageProvider
  /** Whether the first input has the focus. */
  readonly autofocus: boolean
  /** Whether this is the first form with inputs, whose button is the main button of the page. */
  readonly isFirstForm: boolean
  /** Class with the provider's brand colour. */
  readonly brandColorClass: string | undefined
}

/** Whether the provider's form has no inputs. */
export function isButtonOnly({ type }: PageProvider): boolean {
  return type === "oauth" || type === "oidc"
}

/** Renders the form of a provider. */
export function renderProviderForm(props: ProviderFormProps): Markup {
  const { provider, csrfToken, callbackUrl } = props
  if (provider.type === "webauthn") return renderPasskeyForm(props)
  return html`<form action="${sanitizeUrl(provider.action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}${renderInputs(props)}${renderSubmitButton(props)}
</form>`
}

/** Renders a form that the page's script shows if the browser supports passkeys. */
function renderPasskeyForm(props: ProviderFormProps): Markup {
  const { id, name, action, passkey } = props.provider
  const scriptAttributes = renderAttributes({
    "data-passkey": passkey && sanitizeUrl(passkey.optionsUrl),
    "data-autofill": passkey?.autofill,
  })
  // `novalidate`: to sign in, the inputs may be empty. The script validates them before it creates a passkey.
  return html`<form id="${id}-form" action="${sanitizeUrl(action)}" method="post"${scriptAttributes} novalidate hidden>
${renderHiddenInputs(props.csrfToken, props.callbackUrl)}<input type="hidden" name="action" value="authenticate">
<input type="hidden" name="data" value="">
${renderInputs(props)}<p class="error" role="alert" hidden></p>
${renderSubmitButton(props)}
<button class="button plain" id="registerButton-${id}" type="submit" value="register">Create a passkey</button>
</form>
<p class="note" data-unsupported hidden>This browser does not support signing in with ${name}.</p>
<noscript><p class="note">Signing in with ${name} requires JavaScript.</p></noscript>`
}

function renderSubmitButton({ provider, isFirstForm, brandColorClass }: ProviderFormProps): Markup {
  const { id, name, type, style } = provider
  if (type === "oauth" || type === "oidc") {
    const logo = parseLocalImage(style?.logo)
    return html`<button class="button" type="submit">
${logo ? renderImageIcon(logo.src) : renderLetterIcon(name, brandColorClass)}
<span class="label">Sign in with ${name}</span>
</button>`
  }
  const isPasskey = type === "webauthn"
  const attributes = renderAttributes({
    class: isFirstForm ? "button main" : "button",
    id: isFirstForm && !isPasskey ? "submitButton" : `submitButton-${id}`,
    type: "submit",
    value: isPasskey && "authenticate",
  })
  return html`<button${attributes}>
${formIcons[type]}
<span>Sign in with ${name}</span>
</button>`
}

function renderInputs({ provider, email, error, autofocus }: ProviderFormProps): Markup {
  const { id, type } = provider
  const emailField =
    email === undefined ? defaultEmailField : { ...defaultEmailField, value: email }
  const fields = type === "email" ? { email: emailField } : (provider.fields ?? {})
  const inputs = Object.entries(fields).map(([name, field], index) => {
    const input = renderInput(name, field, id, {
      "aria-describedby": error ? "error" : undefined,
      "data-form-field": type === "webauthn",
      autofocus: autofocus && index === 0,
    })
    return html`${input}\n`
  })
  return html`${inputs}`
}

const defaultEmailField: CredentialInput = {
  label: "Email",
  type: "email",
  placeholder: "email@example.com",
  autocomplete: "email",
  required: true,
}
