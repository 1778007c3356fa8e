/** The forms of the sign-in page, one for each provider. */
import type { CredentialInput, ProviderType } from "../types.ts"
import { renderHiddenInputs } from "./components.ts"
import { html, type Markup } from "./html.ts"
import {
  envelopeIcon,
  fingerprintIcon,
  keyIcon,
  renderImageIcon,
  renderLetterIcon,
} from "./icons.ts"
import { parseLocalImage } from "./images.ts"
import { renderInput } from "./input.ts"
import { sanitizeUrl } from "./links.ts"

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

export interface ProviderFormProps {
  readonly provider: PageProvider
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  readonly email: string | undefined
  /** Id of the element with the error message. */
  readonly describedBy: string | undefined
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
  switch (props.provider.type) {
    case "oauth":
    case "oidc":
      return renderOAuthForm(props)
    case "email":
      return renderForm(
        props,
        envelopeIcon,
        renderInputs(props, { email: createEmailField(props.email) }),
      )
    case "credentials":
      return renderForm(props, keyIcon, renderInputs(props))
    case "webauthn":
      return renderPasskeyForm(props)
  }
}

function renderOAuthForm(props: ProviderFormProps): Markup {
  const { provider, csrfToken, callbackUrl, brandColorClass } = props
  const logo = parseLocalImage(provider.style?.logo)
  return html`<form action="${sanitizeUrl(provider.action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}<button class="button" type="submit">
${logo ? renderImageIcon(logo.src) : renderLetterIcon(provider.name, brandColorClass)}
<span class="label">Sign in with ${provider.name}</span>
</button>
</form>`
}

function renderForm(props: ProviderFormProps, icon: Markup, inputs: Markup): Markup {
  const { provider, csrfToken, callbackUrl, isFirstForm } = props
  const submitId = isFirstForm ? "submitButton" : `submitButton-${provider.id}`
  return html`<form action="${sanitizeUrl(provider.action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}${inputs}\
<button class="${isFirstForm ? "button main" : "button"}" id="${submitId}" type="submit">
${icon}
<span>Sign in with ${provider.name}</span>
</button>
</form>`
}

/** Renders a form that the page's script shows if the browser supports passkeys. */
function renderPasskeyForm(props: ProviderFormProps): Markup {
  const { provider, csrfToken, callbackUrl, isFirstForm } = props
  const { id, name, passkey } = provider
  const scriptAttribute = passkey && html` data-passkey="${sanitizeUrl(passkey.optionsUrl)}"`
  // `novalidate`: to sign in, the inputs may be empty. The script validates them before it creates a passkey.
  return html`<form id="${id}-form" action="${sanitizeUrl(provider.action)}" method="post"${scriptAttribute}\
${passkey?.autofill && html` data-autofill`} novalidate hidden>
${renderHiddenInputs(csrfToken, callbackUrl)}<input type="hidden" name="action" value="authenticate">
<input type="hidden" name="data" value="">
${renderInputs(props)}<p class="error" role="alert" hidden></p>
<button class="${isFirstForm ? "button main" : "button"}" id="submitButton-${id}" type="submit" value="authenticate">
${fingerprintIcon}
<span>Sign in with ${name}</span>
</button>
<button class="button plain" id="registerButton-${id}" type="submit" value="register">Create a passkey</button>
</form>
<p class="note" data-unsupported hidden>This browser does not support signing in with ${name}.</p>
<noscript><p class="note">Signing in with ${name} requires JavaScript.</p></noscript>`
}

function createEmailField(value: string | undefined): CredentialInput {
  return {
    label: "Email",
    type: "email",
    placeholder: "email@example.com",
    autocomplete: "email",
    required: true,
    ...(value !== undefined && { value }),
  }
}

function renderInputs(
  { provider, describedBy, autofocus }: ProviderFormProps,
  fields: Record<string, CredentialInput> = provider.fields ?? {},
): Markup {
  const inputs = Object.entries(fields).map(([name, field], index) =>
    renderInput(name, field, provider.id, {
      "aria-describedby": describedBy,
      "data-form-field": provider.type === "webauthn",
      autofocus: autofocus && index === 0,
    }),
  )
  return html`${inputs.map((input) => html`${input}\n`)}`
}
