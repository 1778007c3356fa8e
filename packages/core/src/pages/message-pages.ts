/** The pages with a message: errors, signing out, and the steps of a sign-in by e-mail. */
import { parseWebUrl } from "../config/web-url.ts"
import type { PageContent } from "./document.ts"
import { getErrorPageMessage } from "./error-messages.ts"
import { html, type Markup } from "./html.ts"
import { alertIcon, envelopeIcon, exitIcon, userIcon } from "./icons.ts"
import { renderHiddenInputs } from "./input.ts"
import { type PageMessages, strong } from "./page-messages.ts"
import { sanitizeUrl } from "./urls.ts"

export interface ErrorPageProps {
  /** Error code of the query, which selects the message. */
  error?: string | undefined
  /** Reason in the query, which may select a more exact message. */
  reason?: string | undefined
  /** The form that repeats what has failed, and the provider to which it leads. */
  retryForm?: (ButtonFormProps & { provider?: string | undefined }) | undefined
  /** URL of the sign-in page. */
  signInUrl: string
  /** URL of the application. */
  homeUrl: string
  /** Details for the developer. */
  errorReport?: Markup | undefined
}

/** Renders the page for an error that does not lead back to the sign-in page. Its status depends on the error. */
export function renderErrorPage(props: ErrorPageProps, messages: PageMessages): PageContent {
  const { markup } = messages
  const { error = "", reason, retryForm, signInUrl, homeUrl, errorReport } = props
  const message = getErrorPageMessage(error, reason)
  const { status, retryAfter, heading, text, ownerText, icon, button = "signInButton" } = message
  const paragraphs = html`<p>${markup(text)}</p>${ownerText && html`\n<p>${markup(ownerText)}</p>`}`
  const provider = button === "signInButton" ? retryForm?.provider : undefined
  const label = provider ? markup("signInWith", { provider }) : markup(button)
  const main = retryForm
    ? renderButtonForm(retryForm, label)
    : html`<a class="button main" href="${sanitizeUrl(signInUrl)}">${label}</a>\n`
  const link = renderSiteLink(homeUrl, messages)
  const card = renderCard(icon, markup(heading), paragraphs, main, link)
  const title = messages.text(heading)
  return { title, rootClass: "error", status, retryAfter, errorReport, card }
}

export interface NotFoundPageProps {
  /** URL of the application. */
  homeUrl: string
  /** Details for the developer. */
  errorReport?: Markup | undefined
}

/** Renders the page for a path under the base path that is not an action. */
export function renderNotFoundPage(
  { homeUrl, errorReport }: NotFoundPageProps,
  messages: PageMessages,
): PageContent {
  const { markup } = messages
  const button = html`<a class="button main" href="${sanitizeUrl(homeUrl)}">${markup("homeLink")}</a>\n`
  const text = html`<p>${markup("notFound")}</p>`
  const card = renderCard(alertIcon, markup("notFoundHeading"), text, button)
  const title = messages.text("notFoundHeading")
  return { title, rootClass: "error", status: 404, errorReport, card }
}

export interface SignedInPageProps {
  /** Name or email address. */
  user: string | undefined
  callbackUrl: string
  /** URL of the sign-in page with the ways to sign in. */
  chooseUrl: string
}

/** Renders the sign-in page for visitors who are signed in. */
export function renderSignedInPage(
  props: SignedInPageProps,
  messages: PageMessages,
  applicationName: string | undefined,
): PageContent {
  const { markup } = messages
  const { user, callbackUrl, chooseUrl } = props
  const site = applicationName ?? parseWebUrl(callbackUrl)?.host
  const heading = site ? markup("continueToSite", { site }) : markup("continueButton")
  const text = user ? markup("signedInAs", { user: strong(user) }) : markup("signedIn")
  const links = html`<a class="button main" href="${sanitizeUrl(callbackUrl)}">${markup("continueButton")}</a>
<a class="button plain" href="${sanitizeUrl(chooseUrl)}">${markup("useAnotherAccount")}</a>
`
  const card = renderCard(userIcon, heading, html`<p>${text}</p>`, links)
  return { title: messages.text("signInHeading"), rootClass: "signed-in", card }
}

interface ButtonFormProps {
  /** Absolute URL the form posts to. */
  action: string
  csrfToken?: string | undefined
  /** Where users go afterwards. */
  callbackUrl?: string
}

export interface SignOutPageProps extends ButtonFormProps {
  /** Also where users go when they stay signed in. */
  callbackUrl: string
}

/** Renders the page that asks for confirmation before it signs the user out. */
export function renderSignOutPage(props: SignOutPageProps, messages: PageMessages): PageContent {
  const { markup } = messages
  const text = html`<p>${markup("signOutQuestion")}</p>`
  const form = renderButtonForm(props, markup("signOutButton"))
  const link = renderLink(props.callbackUrl, markup("staySignedIn"))
  const card = renderCard(exitIcon, markup("signOutHeading"), text, form, link)
  return { title: messages.text("signOutHeading"), rootClass: "signout", card }
}

/** `action` requests another message. */
export interface ResendFormProps extends ButtonFormProps {
  email: string
}

/** A link that the visitor has requested, to the address as they typed it. */
export interface RequestedLinkProps extends ResendFormProps {
  /** URL of the sign-in page. */
  signInUrl: string
}

/** The result of submitting the code of a message. */
export type CodeProblem =
  /** Another code is right. */
  | "incorrect"
  /** No code was submitted for a link that needs one. */
  | "missing"
  /** The code has expired, was used, or was guessed too often: only another message helps. */
  | "invalid"

/** `action` takes the code. */
export interface CodeFormProps extends ButtonFormProps {
  /** The address, unless `action` has it. */
  email?: string | undefined
  problem?: CodeProblem | undefined
  /** How many attempts the visitor has after an incorrect code. */
  attemptsLeft?: number | undefined
}

export interface VerifyRequestPageProps {
  /** URL of the application. */
  homeUrl: string
  /** The link, if this browser has requested it in the last minutes. */
  link?: RequestedLinkProps | undefined
  /** The form for the code, if the message carries one. */
  codeForm?: CodeFormProps | undefined
  /** The result of the request for another message. */
  notice?: "sent-again" | "too-soon" | "limited" | undefined
}

const resendNotices = {
  "sent-again": "emailSentAgain",
  "too-soon": "emailSentRecently",
  limited: "tooManyEmails",
} as const

/** Renders the page that asks users to check their mail, after a sign-in link was sent. */
export function renderVerifyRequestPage(
  props: VerifyRequestPageProps,
  messages: PageMessages,
): PageContent {
  const { homeUrl, link, notice } = props
  const { markup } = messages
  const text = link
    ? html`<p>${markup("emailSentTo", { email: strong(link.email) })}</p>\n<p>${markup("checkSpamFolder")}</p>`
    : html`<p>${markup("checkEmailText")}</p>`
  const status =
    notice && html`<p class="notice" role="status">${markup(resendNotices[notice])}</p>\n`
  const card = renderCard(
    envelopeIcon,
    markup("checkEmailHeading"),
    text,
    html`${status}${link && renderResendForm(link, messages)}`,
    renderSiteLink(homeUrl, messages),
  )
  return { title: messages.text("checkEmailHeading"), rootClass: "verify-request", card }
}

function renderResendForm(link: RequestedLinkProps, { markup }: PageMessages): Markup {
  const { action, csrfToken, callbackUrl, email, signInUrl } = link
  return html`<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl, { email, resend: "true" })}\
<button class="button" id="submitButton" type="submit">${markup("resendEmail")}</button>
</form>
${renderLink(signInUrl, markup("useAnotherEmail"))}`
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
 * Renders the page between a sign-in link and its use, because mail scanners and other sites open links, but do not
 * press buttons. It asks whether to continue as the owner of an email address.
 */
export function renderConfirmPage(props: ConfirmPageProps, messages: PageMessages): PageContent {
  const { email, user, homeUrl } = props
  const { markup } = messages
  const text = html`${user && html`<p>${markup("signedInAs", { user: strong(user) })}</p>\n`}\
<p>${markup("confirmText")}</p>`
  const form = renderButtonForm(props, markup("continueAs", { user: email }))
  const link = renderSiteLink(homeUrl, messages)
  const card = renderCard(envelopeIcon, markup("confirmHeading"), text, form, link)
  return { title: messages.text("confirmHeading"), rootClass: "confirm", card }
}

/** Renders the content of a card: the message, and the form or links below it. */
function renderCard(icon: Markup, heading: Markup, text: Markup, ...rest: Markup[]): Markup {
  return html`<header>
<div class="emblem">${icon}</div>
<h1>${heading}</h1>
${text}
</header>
${rest}`
}

/** Renders a form that consists of one button. */
function renderButtonForm(props: ButtonFormProps, label: Markup): Markup {
  const { action, csrfToken, callbackUrl } = props
  return html`<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}\
<button class="button main" id="submitButton" type="submit"><span>${label}</span></button>
</form>
`
}

/** Renders a link to the application, with its host as the text. */
function renderSiteLink(homeUrl: string, { markup }: PageMessages): Markup {
  return renderLink(homeUrl, parseWebUrl(homeUrl)?.host ?? markup("homeLink"))
}

function renderLink(url: string, text: string | Markup): Markup {
  return html`<p class="note"><a class="site" href="${sanitizeUrl(url)}">${text}</a></p>\n`
}
