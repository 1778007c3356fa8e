/** The page with the form for a new account. */
import { html, type Markup } from "../../shared/html.ts"
import { productName } from "../brand.ts"
import { createSignInUrl } from "../current-user.ts"
import type { FieldErrors, JoinForm } from "../members.ts"
import type { Page } from "./layout.ts"

/** Renders the form, either empty or with values and errors. */
export function joinPage(form?: JoinForm, errors: FieldErrors = {}): Page {
  const [first] = Object.keys(errors)
  const field = (name: keyof JoinForm, label: string, attributes: Markup, hint?: string) =>
    renderField({ name, label, attributes, hint, error: errors[name], hasFocus: name === first })
  return {
    title: Object.keys(errors).length > 0 ? "Error: create an account" : "Create an account",
    content: html`<div class="narrow">
<h1>Create an account</h1>
<p class="lead">Only for ${productName}, with your own user name and password.</p>
<form class="card" action="/join" method="post">
${field("name", "Your name", html` autocomplete="name" maxlength="60" value="${form?.name ?? ""}"`)}\
${field(
  "username",
  "User name",
  html` autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="30" value="${form?.username ?? ""}"`,
  "Letters, digits, dots and dashes.",
)}\
${field(
  "password",
  "Password",
  html` type="password" autocomplete="new-password" minlength="8" maxlength="200"`,
  "At least 8 characters. A few words in a row are easy to remember.",
)}\
<button class="button" type="submit">Create account</button>
</form>
<p class="hint">Already have an account? <a href="${createSignInUrl("/journal")}">Sign in</a></p>
</div>`,
  }
}

interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly attributes: Markup
  readonly hint: string | undefined
  readonly error: string | undefined
  readonly hasFocus: boolean
}

function renderField({ name, label, attributes, hint, error, hasFocus }: FieldOptions): Markup {
  const message = error ?? hint
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required${attributes}${
    message && html` aria-describedby="${name}-remark"`
  }${error && html` aria-invalid="true"`}${hasFocus && html` autofocus`}>
${message && html`<p class="${error ? "problem" : "hint"}" id="${name}-remark">${message}</p>\n`}\
</div>
`
}
