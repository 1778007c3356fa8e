/** The card of the pages with a message. */
import { html, type Markup } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import { renderHiddenInputs } from "./input.ts"
import { parseWebUrl, sanitizeUrl } from "./urls.ts"

export interface ButtonFormProps {
  /** Absolute URL the form posts to. */
  action: string
  csrfToken?: string | undefined
  /** Where users go afterwards. */
  callbackUrl?: string
}

/** Renders the content of a card: the message, and the form or links below it. */
export function renderCard(icon: Markup, heading: Markup, text: Markup, ...rest: Markup[]): Markup {
  return html`<header>
<div class="emblem">${icon}</div>
<h1>${heading}</h1>
${text}
</header>
${rest}`
}

/** Renders a form that consists of one button. */
export function renderButtonForm(props: ButtonFormProps, label: Markup): Markup {
  const { action, csrfToken, callbackUrl } = props
  return html`<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}\
<button class="button main" id="submitButton" type="submit"><span>${label}</span></button>
</form>
`
}

/** Renders a link to the application, with its name, or else its host, as the text. */
export function renderSiteLink(
  homeUrl: string,
  { markup }: PageMessages,
  applicationName: string | undefined,
): Markup {
  const text = applicationName
    ? markup("backTo", { app: applicationName })
    : (parseWebUrl(homeUrl)?.host ?? markup("homeLink"))
  return renderLink(homeUrl, text)
}

export function renderLink(url: string, text: string | Markup): Markup {
  return html`<p class="note"><a class="site" href="${sanitizeUrl(url)}">${text}</a></p>\n`
}
