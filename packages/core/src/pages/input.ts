/** Fields that an application described, as labelled inputs. */
import type { CredentialInput } from "../types.ts"
import { type AttributeValue, html, type Markup, renderAttributes } from "./html.ts"

/** One field and where it stands. */
export interface InputProps {
  readonly providerId: string
  /** Name of the field in the form. */
  readonly name: string
  readonly field: CredentialInput
  /** Id of the element that says what was wrong. */
  readonly describedBy: string | undefined
  readonly autofocus: boolean
  /** Attributes that come from the kind of form. */
  readonly extra?: Readonly<Record<string, AttributeValue>>
}

// Types whose value is a text, or that need no script; none that uploads, submits or loads something.
const allowedTypes =
  /^(?:text|email|password|tel|url|search|number|date|datetime-local|month|week|time|checkbox|hidden)$/
const booleanAttributes = /^(?:checked|disabled|multiple|readonly|required)$/
const textAttributes =
  /^(?:autocapitalize|autocomplete|autocorrect|dir|enterkeyhint|inputmode|lang|max|maxlength|min|minlength|pattern|placeholder|size|spellcheck|step|tabindex|title|value|(?:aria|data)-[a-z][a-z0-9-]*)$/

/** A label and its input. Only harmless attributes of the description are printed. */
export function renderInput(props: InputProps): Markup {
  const { name, field, providerId } = props
  const type = allowedTypes.test(field.type ?? "") ? field.type : "text"
  const id = `input-${name}-for-${providerId}-provider`
  const control = html`<input${renderAttributes({
    autocomplete: inferAutocomplete(name, type),
    "aria-describedby": props.describedBy,
    ...readAttributes(field, type),
    ...props.extra,
    ...(props.autofocus && { autofocus: true }),
    id,
    name,
    type,
  })}>`
  if (type === "hidden") return control
  return html`<div class="${type === "checkbox" ? "field check" : "field"}">
<label class="section-header" for="${id}">${field.label ?? name}</label>
${control}
</div>`
}

/** The attributes that an application wrote. */
function readAttributes(
  field: CredentialInput,
  type: string | undefined,
): Record<string, AttributeValue> {
  const entries = Object.entries(field).flatMap(
    ([attributeName, value]): [string, AttributeValue][] => {
      const attribute = attributeName.toLowerCase()
      if (value === undefined || value === null) return []
      if (booleanAttributes.test(attribute)) return [[attribute, value !== false]]
      if (!textAttributes.test(attribute) || (attribute === "value" && type === "password"))
        return []
      return [[attribute, String(value)]]
    },
  )
  return Object.fromEntries(entries)
}

/** What password managers need to know, where the application does not say it. */
function inferAutocomplete(name: string, type: string | undefined): string | undefined {
  if (type === "password") return "current-password"
  if (type === "email" || /^(?:user-?_?name|login|email)$/i.test(name)) return "username"
  return /^(?:otp|totp)$/i.test(name) ? "one-time-code" : undefined
}
