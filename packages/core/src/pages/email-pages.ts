/** The pages of a sign-in by e-mail. */
import {
  type ButtonFormProps,
  renderButtonForm,
  renderHeader,
  renderSiteLink,
} from "./components.ts"
import type { PageContent } from "./document.ts"
import { html } from "./html.ts"
import { envelopeIcon } from "./icons.ts"

/** Renders the page that asks users to check their mail, after a sign-in link was sent. */
export function renderVerifyRequestPage({ homeUrl }: { homeUrl: string }): PageContent {
  const text = html`<p>A sign-in link is on its way. If it does not arrive, check your spam folder.</p>`
  return {
    title: "Verify Request",
    rootClass: "verify-request",
    card: html`${renderHeader(envelopeIcon, "Check your email", text)}${renderSiteLink(homeUrl)}`,
  }
}

/** `action` consumes the link. */
export interface ConfirmPageProps extends Omit<ButtonFormProps, "callbackUrl"> {
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
  return {
    title: "Confirm Sign In",
    rootClass: "confirm",
    card: html`${renderHeader(envelopeIcon, "Almost there", text)}\
${renderButtonForm(props, ["Continue as ", email])}${renderSiteLink(homeUrl)}`,
  }
}
