/** The pages for second factors: one asks for it, one adds an authenticator app, and one shows recovery codes. */

import { passkeyScript } from "../assets/assets.ts"
import { html, type Markup } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import { type ButtonFormProps, renderCard, renderLink } from "./card.ts"
import type { PageContent } from "./document.ts"
import { lockIcon } from "./icons.ts"
import { renderHiddenInputs, renderInput } from "./input.ts"
import { renderPasskeyFactorForm } from "./provider-form.ts"
import { renderQrCode } from "./qr-code.ts"
import { sanitizeUrl } from "./urls.ts"

/** A kind of second factor with a form. */
type FactorMethod = "totp" | "recovery-codes" | "passkey"

/** Where people go who do not continue: to the other ways to sign in, or back to the application. */
interface LeaveLink {
  readonly kind: "sign-in" | "cancel"
  readonly url: string
}

export interface SecondFactorPageProps {
  /** The kind of factor that the form asks for. */
  method: FactorMethod
  /** `action` takes the code. */
  form: ButtonFormProps
  /** Whether the visitor has just entered a wrong code. */
  isIncorrect: boolean
  /** Whether the visitor may choose not to be asked again on this device. */
  canTrust: boolean
  /** URL from which the script requests options, if the user may have passkeys. */
  passkeyOptionsUrl?: string | undefined
  /** The other kinds of factors that the user has, with the URLs of their forms. */
  others: readonly { readonly method: FactorMethod; readonly url: string }[]
  leave: LeaveLink
}

export interface SetupPageProps {
  /** The secret in base32. */
  secret: string
  /** The URL in the QR code. */
  url: string
  /** The sealed secret, for the form. */
  setup: string
  /** `action` takes the first code. */
  form: ButtonFormProps
  isIncorrect: boolean
  leave: LeaveLink
}

export interface RecoveryCodesPageProps {
  codes: readonly string[]
  /** Where the visitor goes once the codes are saved. */
  continueUrl: string
}

const texts = {
  totp: { text: "authenticatorText", label: "authenticatorCodeLabel", link: "useAuthenticator" },
  "recovery-codes": {
    text: "recoveryCodeText",
    label: "recoveryCodeLabel",
    link: "useRecoveryCode",
  },
  passkey: { text: "passkeyText", label: "usePasskey", link: "usePasskey" },
} as const

/** Renders the form for the code, and the ways to another factor and to another account. */
export function renderSecondFactorPage(
  props: SecondFactorPageProps,
  messages: PageMessages,
): PageContent {
  const { method, form, isIncorrect, canTrust, others, leave } = props
  const { markup } = messages
  const trustBox = {
    type: "checkbox",
    label: messages.text("trustDevice"),
    value: "true",
    // Browsers keep the state of boxes when a page is loaded again.
    autocomplete: "off",
  } as const
  const box = canTrust && renderInput("trustDevice", trustBox, "second-factor", {})
  const isPasskey = method === "passkey"
  const factorForm = isPasskey
    ? renderPasskeyFactor(props, messages, box)
    : renderCodeForm(method, form, isIncorrect, { method }, messages, box)
  const otherWays = others.map(
    (other) =>
      html`<a class="button plain" href="${sanitizeUrl(other.url)}">${markup(texts[other.method].link)}</a>\n`,
  )
  const ways = html`${otherWays}${renderLeaveLink(leave, messages)}`
  const text = html`<p>${markup(texts[method].text)}</p>`
  return {
    title: messages.text("secondFactorHeading"),
    rootClass: "second-factor",
    ...(isPasskey && { script: passkeyScript }),
    card: renderCard(lockIcon, markup("secondFactorHeading"), text, factorForm, ways),
  }
}

/** Renders the form that the page's script sends with a passkey. */
function renderPasskeyFactor(
  { form, isIncorrect, passkeyOptionsUrl = "" }: SecondFactorPageProps,
  messages: PageMessages,
  box: Markup | false,
): Markup {
  const { text, markup } = messages
  const action = `${form.action}${form.action.includes("?") ? "&" : "?"}method=passkey`
  const error =
    isIncorrect &&
    html`<div class="error" role="alert">\n<p>${text("passkeyNotVerified")}</p>\n</div>\n`
  return html`${error}${renderPasskeyFactorForm(
    { ...form, action },
    passkeyOptionsUrl,
    messages,
    html`${box}
<button class="button main" type="submit" value="authenticate" autofocus><span>${markup("usePasskey")}</span></button>`,
  )}
`
}

/** Renders the QR code and the key of a new authenticator app, and the form for its first code. */
export async function renderSetupPage(
  { secret, url, setup, form, isIncorrect, leave }: SetupPageProps,
  messages: PageMessages,
): Promise<PageContent> {
  const { markup } = messages
  const key = secret.replace(/.{4}(?=.)/g, "$& ")
  const qrCode = html`<div class="setup">
<div class="qr-code">${await renderQrCode(url, messages.text("qrCode"))}</div>
<p class="note">${markup("setUpKeyText")}<br><code dir="ltr">${key}</code></p>
<p class="note"><a class="site" href="${url}">${markup("openAuthenticator")}</a></p>
</div>
`
  const codeForm = renderCodeForm("totp", form, isIncorrect, { setup }, messages)
  const text = html`<p>${markup("setUpFactorText")}</p>`
  const heading = markup("setUpFactorHeading")
  const wayOut = renderLeaveLink(leave, messages)
  return {
    title: messages.text("setUpFactorHeading"),
    rootClass: "second-factor",
    card: renderCard(lockIcon, heading, text, qrCode, codeForm, wayOut),
  }
}

/** Renders new recovery codes, which are shown once. */
export function renderRecoveryCodesPage(
  { codes, continueUrl }: RecoveryCodesPageProps,
  messages: PageMessages,
): PageContent {
  const { markup } = messages
  const items = codes.map((code) => html`<li><code>${code}</code></li>\n`)
  const list = html`<ul class="codes" dir="ltr">\n${items}</ul>\n`
  const text = html`<p>${markup("recoveryCodesText")}</p>`
  const button = html`<a class="button main" href="${sanitizeUrl(continueUrl)}">${markup("codesSaved")}</a>\n`
  return {
    title: messages.text("recoveryCodesHeading"),
    rootClass: "recovery-codes",
    card: renderCard(lockIcon, markup("recoveryCodesHeading"), text, list, button),
  }
}

function renderCodeForm(
  method: FactorMethod,
  { action, csrfToken, callbackUrl }: ButtonFormProps,
  isIncorrect: boolean,
  hidden: Readonly<Record<string, string>>,
  { text, markup }: PageMessages,
  rest: Markup | false = false,
): Markup {
  const isNumeric = method === "totp"
  const field = {
    label: text(texts[method].label),
    autocomplete: isNumeric ? "one-time-code" : "off",
    inputmode: isNumeric ? "numeric" : "text",
    autocapitalize: "off",
    spellcheck: "false",
    required: true,
  } as const
  const attributes = {
    // A new app first needs what is above the field.
    autofocus: isIncorrect || hidden["setup"] === undefined,
    "aria-describedby": isIncorrect && "error",
    "aria-invalid": isIncorrect && "true",
  }
  const error =
    isIncorrect &&
    html`<div class="error" id="error" role="alert">\n<p>${markup("codeIncorrect")}</p>\n</div>\n`
  return html`${error}<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl, hidden)}\
${renderInput("code", field, "second-factor", attributes)}
${rest}<button class="button main" id="submitButton" type="submit"><span>${markup("continueButton")}</span></button>
</form>
`
}

const renderLeaveLink = ({ kind, url }: LeaveLink, { markup }: PageMessages): Markup =>
  renderLink(url, markup(kind === "sign-in" ? "useAnotherAccount" : "cancelButton"))
