/** The pages with a message: errors, and signing out. */

import { html } from "../html.ts"
import { type PageMessages, strong } from "../messages/page-messages.ts"
import {
  type ButtonFormProps,
  renderButtonForm,
  renderCard,
  renderLink,
  renderSiteLink,
} from "./card.ts"
import type { PageContent } from "./document.ts"
import { getErrorPageMessage } from "./error-messages.ts"
import type { ErrorReport } from "./error-report.ts"
import { alertIcon, exitIcon, userIcon } from "./icons.ts"
import { parseWebUrl, sanitizeUrl } from "./urls.ts"

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
  errorReport?: ErrorReport | undefined
}

/** Renders the page for an error that does not lead back to the sign-in page. Its status depends on the error. */
export function renderErrorPage(
  props: ErrorPageProps,
  messages: PageMessages,
  applicationName: string | undefined,
): PageContent {
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
  const link = renderSiteLink(homeUrl, messages, applicationName)
  const card = renderCard(icon, markup(heading), paragraphs, main, link)
  const title = messages.text(heading)
  return { title, rootClass: "error", status, retryAfter, errorReport, card }
}

export interface NotFoundPageProps {
  /** URL of the application. */
  homeUrl: string
  /** Details for the developer. */
  errorReport?: ErrorReport | undefined
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
