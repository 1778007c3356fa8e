/** The page that asks for the second factor of a sign-in. */
import { html } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import { type ButtonFormProps, renderCard, renderLink } from "./card.ts"
import type { PageContent } from "./document.ts"
import { lockIcon } from "./icons.ts"
import { renderHiddenInputs, renderInput } from "./input.ts"
import { sanitizeUrl } from "./urls.ts"

/** A kind of second factor with a form. */
type FactorMethod = "totp" | "recovery-codes"

export interface SecondFactorPageProps {
  /** The kind of factor that the form asks for. */
  method: FactorMethod
  /** `action` takes the code. */
  form: ButtonFormProps
  /** Whether the visitor has just entered a wrong code. */
  isIncorrect: boolean
  /** The other kinds of factors that the user has, with the URLs of their forms. */
  others: readonly { readonly method: FactorMethod; readonly url: string }[]
  /** URL of the sign-in page. */
  signInUrl: string
}

const texts = {
  totp: { text: "authenticatorText", label: "authenticatorCodeLabel", link: "useAuthenticator" },
  "recovery-codes": {
    text: "recoveryCodeText",
    label: "recoveryCodeLabel",
    link: "useRecoveryCode",
  },
} as const

/** Renders the form for the code, and the ways to another factor and to another account. */
export function renderSecondFactorPage(
  { method, form, isIncorrect, others, signInUrl }: SecondFactorPageProps,
  messages: PageMessages,
): PageContent {
  const { markup } = messages
  const { action, csrfToken, callbackUrl } = form
  const { text, label } = texts[method]
  const isNumeric = method === "totp"
  const field = {
    label: messages.text(label),
    autocomplete: isNumeric ? "one-time-code" : "off",
    inputmode: isNumeric ? "numeric" : "text",
    autocapitalize: "off",
    spellcheck: "false",
    required: true,
  } as const
  const attributes = {
    autofocus: true,
    "aria-describedby": isIncorrect && "error",
    "aria-invalid": isIncorrect && "true",
  }
  const error =
    isIncorrect &&
    html`<div class="error" id="error" role="alert">\n<p>${markup("codeIncorrect")}</p>\n</div>\n`
  const codeForm = html`${error}<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl, { method })}\
${renderInput("code", field, "second-factor", attributes)}
<button class="button main" id="submitButton" type="submit"><span>${markup("continueButton")}</span></button>
</form>
`
  const otherWays = others.map(
    (other) =>
      html`<a class="button plain" href="${sanitizeUrl(other.url)}">${markup(texts[other.method].link)}</a>\n`,
  )
  const heading = markup("secondFactorHeading")
  const ways = html`${otherWays}${renderLink(signInUrl, markup("useAnotherAccount"))}`
  return {
    title: messages.text("secondFactorHeading"),
    rootClass: "second-factor",
    card: renderCard(lockIcon, heading, html`<p>${markup(text)}</p>`, codeForm, ways),
  }
}
