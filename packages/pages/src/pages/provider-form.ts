/** The forms of the sign-in page, one for each provider. */

import { html, type Markup, renderAttributes } from "../html.ts"
import type { PlainMessageKey } from "../messages/messages.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import type { CredentialInput } from "./form-field.ts"
import { chevronIcon } from "./icons.ts"
import { renderHiddenInputs, renderInput } from "./input.ts"
import {
  hasInputs,
  type PageProvider,
  type PasskeyOptions,
  type ProviderType,
} from "./page-provider.ts"
import { buttonsFormId, isInButtonsForm, renderRememberMe } from "./remember-me.ts"
import { sanitizeUrl } from "./urls.ts"

export interface ProviderFormProps {
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** Initial value of the email form. */
  readonly email?: string | undefined
  readonly provider: PageProvider
  readonly messages: PageMessages
  readonly icon: Markup | undefined
  /** As the first method of the page, as a form that is visible, or as a button that may open a form. */
  readonly presentation: "primary" | "open" | "collapsed"
  readonly wasLastUsed: boolean
  /** Whether this is the first form with inputs, whose button has the id that Auth.js uses. */
  readonly isFirstForm: boolean
  /** Whether an input has the focus. */
  readonly autofocus: boolean
  /** Whether the message of the page describes the inputs. */
  readonly hasError: boolean
  /** Whether the message is about what the visitor typed. */
  readonly isInvalid: boolean
  /** The address or name that the visitor typed before. */
  readonly identifier: string | undefined
  /** Whether browsers offer passkeys in the fields for names and addresses. */
  readonly offersPasskeys: boolean
  /** The passkey that the script tells the browser to forget. */
  readonly unknownPasskey?: object | undefined
  /** Whether the checkbox "Keep me signed in" is checked; undefined if there is none. */
  readonly rememberMe?: boolean | undefined
}

/** Renders the form of a provider. */
export function renderProviderForm(props: ProviderFormProps): Markup {
  const { provider, presentation } = props
  const { passkey } = provider
  const form = passkey ? renderPasskeyForm(props, passkey) : renderForm(props)
  if (presentation !== "collapsed" || !hasInputs(provider)) return form
  const label = renderLabel(props)
  // Details with the same name close when another one opens.
  return html`<details name="method">
<summary class="button">${label}${chevronIcon}${renderBadge(props)}</summary>
${form}
</details>`
}

function renderForm(props: ProviderFormProps): Markup {
  if (isInButtonsForm(props)) return renderSubmitButton(props, true)
  const role = renderAttributes({ role: getFormRole(props.provider) })
  return html`<form action="${sanitizeUrl(props.provider.action)}" method="post"${role}>
${renderHiddenInputs(props.csrfToken, props.callbackUrl)}${renderInputs(props)}${renderRememberMe(props)}${renderSubmitButton(props)}
</form>`
}

/** Some screen readers announce where each form begins and ends, which is noise around a single button. */
const getFormRole = (provider: PageProvider) => (hasInputs(provider) ? undefined : "none")

function renderPasskeyForm(props: ProviderFormProps, passkey: PasskeyOptions): Markup {
  const { provider, messages } = props
  const attributes = renderAttributes({
    id: `${provider.id}-form`,
    ...createPasskeyAttributes(provider.action, passkey, messages),
    "data-autofill": passkey.autofill,
    "data-unknown-passkey": props.unknownPasskey && JSON.stringify(props.unknownPasskey),
    role: getFormRole(provider),
    // The inputs may be empty, because most passkeys say who their users are.
    novalidate: true,
    hidden: true,
  })
  const inputs = html`${renderPasskeyInputs(props, "authenticate")}${passkey.asksWhoSignsIn && renderInputs(props)}\
${renderRememberMe(props)}${renderSubmitButton(props)}`
  return renderScriptedForm(attributes, inputs, messages)
}

/** Renders a form that the page's script shows if the browser supports passkeys. */
const renderScriptedForm = (attributes: Markup, inputs: Markup, { markup }: PageMessages): Markup =>
  html`<form${attributes}>
${inputs}
</form>
<p class="note" data-unsupported hidden>${markup("passkeysUnsupported")}</p>
<noscript><p class="note">${markup("passkeysNeedJavaScript")}</p></noscript>`

/** Renders the form of the page that asks for a passkey as the second factor. */
export function renderPasskeyFactorForm(
  form: { readonly action: string } & Pick<Partial<ProviderFormProps>, "csrfToken" | "callbackUrl">,
  optionsUrl: string,
  messages: PageMessages,
  rest: Markup,
): Markup {
  const attributes = createPasskeyAttributes(form.action, { optionsUrl }, messages)
  const inputs = html`${renderPasskeyInputs(form, "authenticate")}${rest}`
  return renderScriptedForm(renderAttributes({ ...attributes, hidden: true }), inputs, messages)
}

/** Renders the form in which new users create a passkey. The page's script shows it. */
export function renderPasskeyRegistration(props: ProviderFormProps): Markup | undefined {
  const { id, passkey } = props.provider
  const label = props.messages.markup("createPasskey")
  const inputs = { ...props, autofocus: false, hasError: false, isInvalid: false }
  return (
    passkey &&
    html`<details class="registration" hidden>
<summary><span class="site">${label}</span></summary>
<form${renderAttributes(createPasskeyAttributes(props.provider.action, passkey, props.messages))}>
${renderPasskeyInputs(props, "register")}${renderInputs(inputs, `${id}-registration`)}\
${renderRememberMe(props, `${id}-registration`)}<button class="button" id="registerButton-${id}" type="submit" value="register">${label}</button>
</form>
</details>
`
  )
}

function createPasskeyAttributes(
  action: string,
  { optionsUrl }: Pick<PasskeyOptions, "optionsUrl">,
  { text }: PageMessages,
) {
  return {
    action: sanitizeUrl(action),
    method: "post",
    "data-passkey": sanitizeUrl(optionsUrl),
    "data-text-exists": text("passkeyExists"),
    "data-text-cancelled": text("passkeyCancelled"),
    "data-text-too-many-attempts": text("tooManyAttempts"),
    "data-text-invalid-input": text("passkeyInvalidInput"),
    "data-text-failed": text("passkeyFailed"),
  }
}

/** Renders the inputs that the page's script fills in, and its message. */
function renderPasskeyInputs(
  { csrfToken, callbackUrl }: Pick<Partial<ProviderFormProps>, "csrfToken" | "callbackUrl">,
  ceremony: "authenticate" | "register",
): Markup {
  return html`${renderHiddenInputs(csrfToken, callbackUrl)}<input type="hidden" name="action" value="${ceremony}">
<input type="hidden" name="data" value="">
<p class="error" role="alert" hidden></p>
`
}

function renderSubmitButton(props: ProviderFormProps, isInButtons = false): Markup {
  const { provider, presentation, isFirstForm } = props
  const isPasskey = provider.type === "webauthn"
  const hasId = isPasskey || hasInputs(provider)
  const id = isFirstForm && !isPasskey ? "submitButton" : `submitButton-${provider.id}`
  const attributes = renderAttributes({
    class: presentation === "primary" ? "button main" : "button",
    id: hasId && id,
    type: "submit",
    value: isPasskey && "authenticate",
    form: isInButtons && buttonsFormId,
    formaction: isInButtons && sanitizeUrl(provider.action),
  })
  // The header of an open form, or its fields, have named the provider.
  const label = hasInputs(provider)
    ? props.messages.markup(acts[provider.type] ?? "signInButton")
    : renderLabel(props)
  return html`<button${attributes}>${label}${renderBadge(props)}</button>`
}

function renderLabel({ icon, provider, messages }: ProviderFormProps): Markup {
  const { name, type } = provider
  const isGeneric = type !== "oauth" && type !== "oidc" && Object.hasOwn(genericNames, name)
  const generic = isGeneric ? genericNames[name] : undefined
  const text = generic
    ? messages.markup(generic)
    : messages.markup("signInWith", { provider: name })
  return html`<span class="symbol">${icon}</span><span class="label">${text}</span>`
}

function renderBadge({ wasLastUsed, messages }: ProviderFormProps): Markup | undefined {
  return wasLastUsed ? html` <span class="badge">${messages.markup("lastUsed")}</span>` : undefined
}

/** The texts of the buttons that send a form with inputs. */
const acts: Partial<Record<ProviderType, PlainMessageKey>> = {
  email: "signInWithEmail",
  webauthn: "signInWithPasskey",
}

/** Names that providers have unless the application sets another one. Visitors do not have to know them. */
const genericNames: Readonly<Record<string, PlainMessageKey>> = {
  Credentials: "signInByPassword",
  Email: "signInByEmail",
  Passkey: "signInWithPasskey",
  WebAuthn: "signInWithPasskey",
}

function renderInputs(props: ProviderFormProps, idPart = props.provider.id): Markup {
  const { provider, hasError, isInvalid, offersPasskeys } = props
  const entries = Object.entries(createFields(props))
  // After an error, the focus is where something has to be typed again.
  const isEmpty = ([, { type = "text", value }]: [string, CredentialInput]) =>
    type !== "hidden" && type !== "checkbox" && !value
  const focused = props.autofocus ? (entries.find(isEmpty) ?? entries[0]) : undefined
  const inputs = entries.map(([name, field]) => {
    const attributes = {
      "aria-describedby": hasError && "error",
      "aria-invalid": isInvalid && "true",
      "data-form-field": provider.type === "webauthn",
      autofocus: name === focused?.[0],
    }
    return html`${renderInput(name, field, idPart, attributes, offersPasskeys)}\n`
  })
  return html`${inputs}`
}

/** Returns the fields of a form with what the visitor typed before. */
function createFields(props: ProviderFormProps): Record<string, CredentialInput> {
  const { provider, messages, identifier } = props
  const { type, identifierField = "" } = provider
  if (type === "email") {
    const label = messages.text("emailLabel")
    const value = identifier ?? props.email
    return { email: { ...emailField, label, ...(value !== undefined && { value }) } }
  }
  const fields = type === "webauthn" ? labelName(provider, messages) : (provider.fields ?? {})
  const field = identifier !== undefined && fields[identifierField]
  return field ? { ...fields, [identifierField]: { ...field, value: identifier } } : fields
}

/** Returns the fields of a passkey form. The field for the name has no label unless the application sets one. */
function labelName(
  { fields = {} }: PageProvider,
  messages: PageMessages,
): Record<string, CredentialInput> {
  const { name } = fields
  return name ? { ...fields, name: { label: messages.text("nameLabel"), ...name } } : fields
}

const emailField: CredentialInput = {
  type: "email",
  placeholder: "email@example.com",
  autocomplete: "email",
  required: true,
}
