/** The pages with a message: errors, signing out, and the steps of a sign-in by e-mail. */
import { parseWebUrl } from "../config/web-url.ts"
import type { PageContent } from "./document.ts"
import { html, type Markup, type TemplateValue } from "./html.ts"
import { alertIcon, envelopeIcon, exitIcon, lockIcon } from "./icons.ts"
import { renderHiddenInputs } from "./input.ts"
import { sanitizeUrl } from "./urls.ts"

export interface ErrorPageProps {
  /** Error code of the query, which selects the message. */
  error?: string | undefined
  /** URL of the sign-in page. */
  signInUrl: string
  /** URL of the application. */
  homeUrl: string
  /** Details for the developer. */
  errorReport?: Markup | undefined
}

interface ErrorMessage {
  readonly status: number
  readonly heading: string
  readonly text: string
  /** @defaultValue an exclamation mark */
  readonly icon?: Markup
  /** Whether another attempt may succeed. */
  readonly canRetry?: boolean
}

const defaultMessage: ErrorMessage = {
  status: 200,
  heading: "Error",
  text: "Something went wrong. Please go back and try again.",
}

const messagesByError: Readonly<Record<string, ErrorMessage>> = {
  Configuration: {
    status: 500,
    heading: "Server error",
    text: "Sign-in is unavailable right now. If you run this server, check its log.",
  },
  AccessDenied: {
    status: 403,
    heading: "Access Denied",
    text: "You do not have permission to sign in.",
    icon: lockIcon,
    canRetry: true,
  },
  Verification: {
    status: 403,
    heading: "Unable to sign in",
    text: "This sign-in link has expired or was already used.",
    canRetry: true,
  },
  TooManyRequests: {
    status: 429,
    heading: "Too many attempts",
    text: "Please wait a few minutes, then try again.",
  },
}

/** Renders the page for an error that does not lead back to the sign-in page. Its status depends on the error. */
export function renderErrorPage(props: ErrorPageProps): PageContent {
  const { error = "", signInUrl, homeUrl, errorReport } = props
  const ownMessage = Object.hasOwn(messagesByError, error) ? messagesByError[error] : undefined
  const { status, heading, text, icon = alertIcon, canRetry } = ownMessage ?? defaultMessage
  const retryLink = html`<a class="button main" href="${sanitizeUrl(signInUrl)}">Sign in</a>\n`
  const link = canRetry ? retryLink : renderSiteLink(homeUrl)
  const card = renderCard(icon, heading, html`<p>${text}</p>`, link)
  return { title: "Error", rootClass: "error", status, errorReport, card }
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
export function renderSignOutPage(props: SignOutPageProps): PageContent {
  const { callbackUrl } = props
  const text = html`<p>Are you sure you want to sign out?</p>`
  const form = renderButtonForm(props, "Sign out")
  const link = renderSiteLink(callbackUrl, "Stay signed in")
  const card = renderCard(exitIcon, "Signout", text, form, link)
  return { title: "Sign Out", rootClass: "signout", card }
}

/** Renders the page that asks users to check their mail, after a sign-in link was sent. */
export function renderVerifyRequestPage({ homeUrl }: { homeUrl: string }): PageContent {
  const text = html`<p>A sign-in link is on its way. If it does not arrive, check your spam folder.</p>`
  const card = renderCard(envelopeIcon, "Check your email", text, renderSiteLink(homeUrl))
  return { title: "Verify Request", rootClass: "verify-request", card }
}

/** `action` consumes the link. */
export interface ConfirmPageProps extends ButtonFormProps {
  /** The email address the link was sent to. */
  email: string
  /** Name or email address of the user who is signed in. */
  user?: string | undefined
  /** URL of the application. */
  homeUrl: string
}

/**
 * Renders the page between a sign-in link and its use, because mail scanners and other sites open links, but do not
 * press buttons. It asks whether to continue as the owner of an email address.
 */
export function renderConfirmPage(props: ConfirmPageProps): PageContent {
  const { email, user, homeUrl } = props
  const text = html`${user && html`<p>You are signed in as <strong>${user}</strong>.</p>\n`}\
<p>If you did not request this link, close this page: you will not be signed in.</p>`
  const form = renderButtonForm(props, ["Continue as ", email])
  const card = renderCard(envelopeIcon, "Almost there", text, form, renderSiteLink(homeUrl))
  return { title: "Confirm Sign In", rootClass: "confirm", card }
}

/** Renders the content of a card: the message, and the form or links below it. */
function renderCard(icon: Markup, heading: string, text: TemplateValue, ...rest: Markup[]): Markup {
  return html`<header>
<div class="emblem">${icon}</div>
<h1>${heading}</h1>
${text}
</header>
${rest}`
}

/** Renders a form that consists of one button. */
function renderButtonForm(props: ButtonFormProps, label: TemplateValue): Markup {
  const { action, csrfToken, callbackUrl } = props
  return html`<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}\
<button class="button main" id="submitButton" type="submit">${label}</button>
</form>
`
}

/** Renders a link to the application, with its host as the text. */
function renderSiteLink(homeUrl: string, text = parseWebUrl(homeUrl)?.host ?? "Home"): Markup {
  return html`<p class="note"><a class="site" href="${sanitizeUrl(homeUrl)}">${text}</a></p>\n`
}
