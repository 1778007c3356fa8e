/** The pages for second factors: one asks for it, one adds an authenticator app, and one shows recovery codes. */

import { passkeyScript } from "../assets/assets.ts"
import { html, type Markup } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import { type ButtonFormProps, renderCard, renderLink } from "./card.ts"
import type { PageContent } from "./document.ts"
import { formIcons, lockIcon } from "./icons.ts"
import { renderHiddenInputs, renderInput } from "./input.ts"
import { renderPasskeyFactorForm } from "./provider-form.ts"
import { renderQrCode } from "./qr-code.ts"
import { sanitizeUrl } from "./urls.ts"

/** A kind of second factor with a form. */
type FactorMethod = "totp" | "recovery-codes" | "passkey" | "email-codes"

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
  /** For codes by e-mail: where they are sent, and whether one was. */
  email?: { readonly address: string; readonly isSent: boolean } | undefined
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
  /** URL of the page that turns on codes by e-mail, if that is possible. */
  emailUrl?: string | undefined
  leave: LeaveLink
}

export interface EmailSetupPageProps {
  /** Where codes are sent. */
  address: string
  /** What the form for the code sends along; undefined before a code was sent. */
  setup?: string | undefined
  /** `action` sends and takes the first code. */
  form: ButtonFormProps
  isIncorrect: boolean
  /** URL of the page that adds an app instead. */
  appUrl: string
  leave: LeaveLink
}

export interface AddPasskeyPageProps {
  /** URL from which the script requests options. */
  optionsUrl: string
  /** `action` takes the new passkey. */
  form: ButtonFormProps
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
  "email-codes": { text: "emailFactorText", label: "codeLabel", link: "useEmailCode" },
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
  const isUnsent = method === "email-codes" && !props.email?.isSent
  const codeForm = () => renderCodeForm(method, form, isIncorrect, { method }, messages, box)
  const resendForm = method === "email-codes" && renderSendForm(form, messages, "plain")
  const factorForm = isPasskey
    ? renderPasskeyFactor(props, messages, box)
    : isUnsent
      ? renderSendForm(form, messages, "main")
      : html`${codeForm()}${resendForm}`
  const otherWays = others.map((other) => renderWay(other.url, other.method, messages))
  const ways = html`${otherWays}${renderLeaveLink(leave, messages)}`
  const text = html`<p>${renderText(props, messages)}</p>`
  return {
    title: messages.text("secondFactorHeading"),
    rootClass: "second-factor",
    ...(isPasskey && { script: passkeyScript }),
    card: renderCard(lockIcon, markup("secondFactorHeading"), text, factorForm, ways),
  }
}

/** Says what the visitor has to do. */
function renderText({ method, email }: SecondFactorPageProps, { markup }: PageMessages): Markup {
  return method === "email-codes"
    ? markup(email?.isSent ? "emailFactorSent" : "emailFactorText", { email: email?.address ?? "" })
    : markup(texts[method].text)
}

/** Renders the button that sends a code, or another one. */
function renderSendForm(
  { action, csrfToken, callbackUrl }: ButtonFormProps,
  { markup }: PageMessages,
  style: "main" | "plain",
): Markup {
  const hidden = { method: "email-codes", send: "true" }
  return html`<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl, hidden)}\
<button class="button ${style}" type="submit"><span>${markup(style === "main" ? "sendCodeButton" : "resendEmail")}</span></button>
</form>
`
}

/** Renders the page that turns on codes by e-mail: a button that sends the first code, and then the form for it. */
export function renderEmailSetupPage(
  { address, setup, form, isIncorrect, appUrl, leave }: EmailSetupPageProps,
  messages: PageMessages,
): PageContent {
  const { markup } = messages
  const hidden = { method: "email-codes", setup: setup ?? "" }
  const forms =
    setup === undefined
      ? renderSendForm(form, messages, "main")
      : html`${renderCodeForm("email-codes", form, isIncorrect, hidden, messages)}${renderSendForm(form, messages, "plain")}`
  const textKey = setup === undefined ? "emailFactorText" : "emailFactorSent"
  const text = html`<p>${markup(textKey, { email: address })}</p>`
  const ways = html`${renderWay(appUrl, "totp", messages)}${renderLeaveLink(leave, messages)}`
  return {
    title: messages.text("setUpEmailHeading"),
    rootClass: "second-factor",
    card: renderCard(lockIcon, markup("setUpEmailHeading"), text, forms, ways),
  }
}

/** Renders the link to the page of another kind of factor. */
const renderWay = (url: string, method: FactorMethod, { markup }: PageMessages): Markup =>
  html`<a class="button plain" href="${sanitizeUrl(url)}">${markup(texts[method].link)}</a>\n`

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

/** Renders the page on which a user adds a passkey. */
export function renderAddPasskeyPage(
  { optionsUrl, form, leave }: AddPasskeyPageProps,
  messages: PageMessages,
): PageContent {
  const { markup } = messages
  const button = html`<button class="button main" type="submit" value="register" autofocus><span>${markup("createPasskey")}</span></button>`
  const passkeyForm = html`${renderPasskeyFactorForm(form, optionsUrl, messages, button)}\n`
  return {
    title: messages.text("createPasskey"),
    rootClass: "second-factor",
    script: passkeyScript,
    card: renderCard(
      formIcons.webauthn,
      markup("createPasskey"),
      html`<p>${markup("addPasskeyText")}</p>`,
      passkeyForm,
      renderLeaveLink(leave, messages),
    ),
  }
}

/** Renders the QR code and the key of a new authenticator app, and the form for its first code. */
export async function renderSetupPage(
  { secret, url, setup, form, isIncorrect, emailUrl, leave }: SetupPageProps,
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
  const emailWay = emailUrl !== undefined && renderWay(emailUrl, "email-codes", messages)
  const wayOut = html`${emailWay}${renderLeaveLink(leave, messages)}`
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
  const isNumeric = method === "totp" || method === "email-codes"
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
    autofocus: isIncorrect || method !== "totp" || hidden["setup"] === undefined,
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
