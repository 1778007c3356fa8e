/** The form for the code that a sign-in e-mail carries. */

import { html, type Markup, renderAttributes } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import type { ButtonFormProps } from "./card.ts"
import { renderHiddenInputs, renderInput } from "./input.ts"
import { sanitizeUrl } from "./urls.ts"

/** Why a code was refused. `invalid`: it has expired, was used, or was tried too often. */
type CodeProblem = "incorrect" | "missing" | "invalid"

/** `action` takes the code. */
export interface CodeFormProps extends ButtonFormProps {
  /** The address, unless `action` has it. */
  email?: string | undefined
  problem?: CodeProblem | undefined
  /** How many attempts the visitor has after an incorrect code. */
  attemptsLeft?: number | undefined
}

/** Whether the visitor may enter a code, and has not to request another message first. */
export const isCodeUsable = ({ problem }: CodeFormProps): boolean => problem !== "invalid"

/** Renders the form, with an error if a code was submitted. Without a valid code, there is only the error. */
export function renderCodeForm(
  props: CodeFormProps,
  label: Markup,
  messages: PageMessages,
): Markup {
  const { action, csrfToken, callbackUrl, email, problem } = props
  const error = renderError(props, messages)
  if (!isCodeUsable(props)) return error
  const field = {
    label: messages.text("codeLabel"),
    autocomplete: "one-time-code",
    inputmode: "numeric",
    required: true,
  } as const
  const attributes = {
    "aria-describedby": problem && "error",
    "aria-invalid": problem && "true",
    autofocus: problem !== undefined,
  }
  return html`${error}<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl, email === undefined ? {} : { email })}\
${renderInput("code", field, "email", attributes)}
<button class="button main" id="submitButton" type="submit"><span>${label}</span></button>
</form>
`
}

const problemTexts = {
  incorrect: "codeIncorrect",
  missing: "codeMissing",
  invalid: "codeInvalid",
} as const

function renderError(props: CodeFormProps, { markup, languageTag }: PageMessages): Markup {
  const { problem, attemptsLeft } = props
  if (!problem) return html``
  // Screen readers read what has the focus: the field, which the error describes, or else the error.
  const hasFocus = !isCodeUsable(props)
  const focus = renderAttributes({ tabindex: hasFocus && "-1", autofocus: hasFocus })
  const left =
    attemptsLeft !== undefined &&
    html`\n<p>${markup("codeAttemptsLeft", { count: new Intl.NumberFormat(languageTag).format(attemptsLeft) })}</p>`
  return html`<div class="error" id="error" role="alert"${focus}>
<p>${markup(problemTexts[problem])}</p>${left}
</div>
`
}
