/** The inputs of forms. */

import { type AttributeValue, html, type Markup, renderAttributes } from "../html.ts"
import type { CredentialInput } from "./form-field.ts"

type Attributes = Record<string, AttributeValue>

// Types whose value is text, or that need no script; none that uploads, submits or loads something.
const allowedTypes =
  /^(?:text|email|password|tel|url|search|number|date|datetime-local|month|week|time|checkbox|hidden)$/
const booleanAttributes = /^(?:checked|disabled|multiple|readonly|required)$/
const textAttributes =
  /^(?:autocapitalize|autocomplete|autocorrect|dir|enterkeyhint|inputmode|lang|max|maxlength|min|minlength|pattern|placeholder|size|spellcheck|step|tabindex|title|value|(?:aria|data)-[a-z][a-z0-9-]*)$/

/** Renders the CSRF token, the callback URL and other hidden inputs, without those that are undefined. */
export function renderHiddenInputs(
  csrfToken: string | undefined,
  callbackUrl?: string,
  others?: Readonly<Record<string, string>>,
): Markup {
  const inputs = Object.entries({ csrfToken, callbackUrl, ...others }).map(([name, value]) =>
    value === undefined ? "" : html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  return html`${inputs}`
}

/**
 * Renders a field of an application's form as an input with its label. Only harmless attributes of the field are
 * rendered.
 */
export function renderInput(
  name: string,
  field: CredentialInput,
  providerId: string,
  formAttributes: Attributes,
  offersPasskeys = false,
): Markup {
  const type = allowedTypes.test(field.type ?? "") ? field.type : "text"
  const id = `input-${name}-for-${providerId}-provider`
  const ownAttributes = readAttributes(field, type)
  const autocomplete = ownAttributes["autocomplete"] ?? inferAutocomplete(name, type)
  const attributes = {
    ...formAttributes,
    ...ownAttributes,
    autocomplete: offersPasskeys ? addPasskeys(autocomplete) : autocomplete,
    id,
    name,
    type,
  }
  const input = html`<input${renderAttributes(attributes)}>`
  if (type === "hidden") return input
  return html`<div class="${type === "checkbox" ? "field check" : "field"}">
<label class="section-header" for="${id}">${field.label ?? name}</label>
${input}
</div>`
}

function readAttributes(field: CredentialInput, type: string | undefined): Attributes {
  const attributes: Attributes = {}
  for (const [key, value] of Object.entries(field)) {
    const name = key.toLowerCase()
    const isText = textAttributes.test(name) && !(name === "value" && type === "password")
    if (value === undefined || value === null) continue
    if (booleanAttributes.test(name)) attributes[name] = value !== false
    else if (isText) attributes[name] = String(value)
  }
  return attributes
}

/** Tells password managers what a field holds if the application does not. */
function inferAutocomplete(name: string, type: string | undefined): string | undefined {
  if (type === "password") return "current-password"
  if (type === "email" || /^(?:user-?_?name|login|email)$/i.test(name)) return "username"
  return /^(?:otp|totp)$/i.test(name) ? "one-time-code" : undefined
}

/** Adds passkeys to what browsers offer in a field for a name or an address (WebAuthn Level 3 section 5.1.4.1). */
function addPasskeys(autocomplete: AttributeValue): AttributeValue {
  const isForNames = typeof autocomplete === "string" && /^(?:username|email)$/i.test(autocomplete)
  return isForNames ? `${autocomplete} webauthn` : autocomplete
}
