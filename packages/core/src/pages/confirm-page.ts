/** The page between a sign-in link and its use: mail scanners open links, but do not press buttons. */
import { renderButtonForm, renderHeader, renderHiddenInputs, renderSiteLink } from "./components.ts"
import type { PageContent } from "./document.ts"
import { html } from "./html.ts"
import { envelopeIcon } from "./icons.ts"

export interface ConfirmPageProps {
  /** Absolute URL the form posts to, which consumes the link. */
  action: string
  csrfToken?: string | undefined
  /** The email address the link was sent to. */
  email: string
  /** URL of the application. */
  homeUrl: string
}

/** Renders the page that asks whether to continue as the owner of an email address. */
export function renderConfirmPage(props: ConfirmPageProps): PageContent {
  const { action, csrfToken, email, homeUrl } = props
  const text = html`<p>If you did not request this link, close this page: you will not be signed in.</p>`
  return {
    title: "Confirm Sign In",
    rootClass: "confirm",
    card: html`${renderHeader(envelopeIcon, "Almost there", text)}\
${renderButtonForm(action, renderHiddenInputs(csrfToken), ["Continue as ", email])}${renderSiteLink(homeUrl)}`,
  }
}
