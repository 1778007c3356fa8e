/** The form for a new account with a user name and a password. */
import { html, type Markup } from "../../shared/html.ts"
import { productName } from "../brand.ts"
import type { Application, Problems } from "../members.ts"
import { signInUrl } from "../visitor.ts"
import type { Page } from "./frame.ts"

/** The form, blank or with what is wrong with it. */
export function joinPage(typed?: Application, problems: Problems = {}): Page {
  const [first] = Object.keys(problems)
  const field = (name: keyof Application, label: string, attributes: Markup, hint?: string) =>
    fieldOf({ name, label, attributes, hint, problem: problems[name], focus: name === first })
  return {
    title:
      Object.keys(problems).length > 0 ? "Please check: create an account" : "Create an account",
    content: html`<div class="narrow">
<h1>Create an account</h1>
<p class="lead">For ${productName} alone, with a user name and a password of your own.</p>
<form class="card" action="/join" method="post">
${field("name", "Your name", html` autocomplete="name" maxlength="60" value="${typed?.name ?? ""}"`)}\
${field(
  "username",
  "User name",
  html` autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="30" value="${typed?.username ?? ""}"`,
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
<p class="hint">You have an account already? <a href="${signInUrl("/journal")}">Sign in</a></p>
</div>`,
  }
}

interface Field {
  readonly name: string
  readonly label: string
  readonly attributes: Markup
  readonly hint: string | undefined
  readonly problem: string | undefined
  readonly focus: boolean
}

function fieldOf({ name, label, attributes, hint, problem, focus }: Field): Markup {
  const remark = problem ?? hint
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required${attributes}${
    remark && html` aria-describedby="${name}-remark"`
  }${problem && html` aria-invalid="true"`}${focus && html` autofocus`}>
${remark && html`<p class="${problem ? "problem" : "hint"}" id="${name}-remark">${remark}</p>\n`}\
</div>
`
}
