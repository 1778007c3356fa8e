/** The pages of a sign-in by e-mail: "Check your email", and the one that a link opens in another browser. */
import { emailScript } from "../assets/assets.ts"
import { html, type Markup } from "../html.ts"
import { type PageMessages, strong } from "../messages/page-messages.ts"
import { type ButtonFormProps, renderButtonForm, renderCard, renderSiteLink } from "./card.ts"
import { type CodeFormProps, isCodeUsable, renderCodeForm } from "./code-form.ts"
import type { PageContent } from "./document.ts"
import { envelopeIcon } from "./icons.ts"
import { renderHiddenInputs } from "./input.ts"
import { sanitizeUrl } from "./urls.ts"

/** `action` requests another message. */
interface ResendFormProps extends ButtonFormProps {
  email: string
}

/** A link that the visitor has requested, to the address as they typed it. */
export interface RequestedLinkProps extends ResendFormProps {
  /** URL of the sign-in page. */
  signInUrl: string
}

export interface VerifyRequestPageProps {
  /** URL of the application. */
  homeUrl: string
  /** The link, if this browser has requested it in the last minutes. */
  link?: RequestedLinkProps | undefined
  /** The form for the code, if the message carries one. */
  codeForm?: CodeFormProps | undefined
  /**
   * URL that leads on once the visitor has signed in with the link, and back to the page before. Scripts get the state
   * from it as JSON.
   */
  continueUrl?: string | undefined
  /** The result of the request for another message, or of following `continueUrl`. */
  notice?: "sent-again" | "too-soon" | "limited" | "not-signed-in" | undefined
}

const notices = {
  "sent-again": "emailSentAgain",
  "too-soon": "emailSentRecently",
  limited: "tooManyEmails",
  "not-signed-in": "notSignedInYet",
} as const

/** Renders the page that asks users to check their mail, after a sign-in link was sent. */
export function renderVerifyRequestPage(
  props: VerifyRequestPageProps,
  messages: PageMessages,
  applicationName: string | undefined,
): PageContent {
  const { homeUrl, link, codeForm, continueUrl, notice } = props
  const { markup } = messages
  const hasCodeField = codeForm !== undefined && isCodeUsable(codeForm)
  const sent = hasCodeField ? "linkAndCodeSentTo" : "emailSentTo"
  const text = link
    ? html`<p>${markup(sent, { email: strong(link.email) })}</p>\n<p>${markup("checkSpamFolder")}</p>`
    : html`<p>${markup("checkEmailText")}</p>`
  const status = notice && html`<p class="notice" role="status">${markup(notices[notice])}</p>\n`
  const card = renderCard(
    envelopeIcon,
    markup("checkEmailHeading"),
    text,
    html`${status}${codeForm && renderCodeForm(codeForm, markup("signInButton"), messages)}\
${link && renderResendForm(link, messages, codeForm && (hasCodeField ? "plain" : "main"))}\
${continueUrl && renderContinueLink(continueUrl, messages)}\
${link && html`<a class="button plain" href="${sanitizeUrl(link.signInUrl)}">${markup("useAnotherEmail")}</a>\n`}`,
    renderSiteLink(homeUrl, messages, applicationName),
  )
  return {
    title: messages.text("checkEmailHeading"),
    rootClass: "verify-request",
    card,
    ...((codeForm || continueUrl) && { script: emailScript }),
  }
}

/** Renders the button that requests another message. Next to a form for the code, it is less or more important. */
function renderResendForm(
  { action, csrfToken, callbackUrl, email }: ResendFormProps,
  { markup }: PageMessages,
  rank: "main" | "plain" | undefined,
): Markup {
  const id = rank === "plain" ? "resendButton" : "submitButton"
  return html`<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl, { email, resend: "true" })}\
<button class="button${rank && ` ${rank}`}" id="${id}" type="submit">${markup("resendEmail")}</button>
</form>
`
}

/** Renders the link for browsers without scripts. The script of the page hides it, and asks its URL instead. */
function renderContinueLink(url: string, { markup }: PageMessages): Markup {
  const link = html`<a class="site" data-continue href="${sanitizeUrl(url)}">${markup("continueButton")}</a>`
  return html`<p class="note">${markup("linkOpened")} ${link}</p>\n`
}

/** `action` consumes the link. */
export interface ConfirmPageProps extends ButtonFormProps {
  /** The email address the link was sent to. */
  email: string
  /** Name or email address of the user who is signed in. */
  user?: string | undefined
  /** URL of the application. */
  homeUrl: string
  /** The form for the code, if the message carries one. The button is then for messages without a code. */
  codeForm?: CodeFormProps | undefined
  /** Requests another message when the code is no longer valid. */
  resendForm?: ResendFormProps | undefined
}

/**
 * Renders the page between a sign-in link and its use in a browser that did not request it, because mail scanners and
 * other sites open links. It asks for the code of the message, or whether to continue as the owner of an email address.
 */
export function renderConfirmPage(
  props: ConfirmPageProps,
  messages: PageMessages,
  applicationName: string | undefined,
): PageContent {
  const { email, user, homeUrl, codeForm } = props
  const { markup } = messages
  const label = markup("continueAs", { user: email })
  const heading = codeForm ? getCodeHeading(codeForm) : "confirmHeading"
  const text = html`${user && html`<p>${markup("signedInAs", { user: strong(user) })}</p>\n`}\
${codeForm && isCodeUsable(codeForm) && html`<p>${markup("enterCodeText")}</p>\n`}\
<p>${markup("confirmText")}</p>`
  const form = codeForm
    ? html`${renderCodeForm(codeForm, label, messages)}${renderOtherWay(props, codeForm, messages)}`
    : renderButtonForm(props, label)
  const link = renderSiteLink(homeUrl, messages, applicationName)
  return {
    title: messages.text(heading),
    rootClass: "confirm",
    card: renderCard(envelopeIcon, markup(heading), text, form, link),
    ...(codeForm && { script: emailScript }),
  }
}

const getCodeHeading = (codeForm: CodeFormProps) =>
  isCodeUsable(codeForm) ? "enterCodeHeading" : "linkExpiredHeading"

/** Renders the way on without the code: another message if it is no longer valid, otherwise the link alone. */
function renderOtherWay(
  props: ConfirmPageProps,
  codeForm: CodeFormProps,
  messages: PageMessages,
): Markup | undefined {
  const { resendForm, action, csrfToken, callbackUrl } = props
  if (!isCodeUsable(codeForm)) return resendForm && renderResendForm(resendForm, messages, "main")
  // The visitor has just tried it.
  if (codeForm.problem === "missing") return undefined
  return html`<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}\
<button class="button plain" id="noCodeButton" type="submit">${messages.markup("noCode")}</button>
</form>
`
}
