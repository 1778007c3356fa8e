/** Parts that several pages have. */
import { html, type Markup, type TemplateValue } from "./html.ts"
import { parseHost, sanitizeUrl } from "./urls.ts"

/** Renders the icon, heading and text of a page. */
export function renderHeader(icon: Markup, heading: string, text: TemplateValue): Markup {
  return html`<header>
<div class="emblem">${icon}</div>
<h1>${heading}</h1>
${text}
</header>
`
}

export interface ButtonFormProps {
  /** Absolute URL the form posts to. */
  action: string
  csrfToken?: string | undefined
  callbackUrl?: string
}

/** Renders a form that consists of one button. */
export function renderButtonForm(props: ButtonFormProps, label: TemplateValue): Markup {
  const { action, csrfToken, callbackUrl } = props
  return html`<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}\
<button class="button main" id="submitButton" type="submit">${label}</button>
</form>
`
}

/** Renders the CSRF token and the callback URL, without those that are undefined. */
export function renderHiddenInputs(csrfToken: string | undefined, callbackUrl?: string): Markup {
  const inputs = Object.entries({ csrfToken, callbackUrl }).map(([name, value]) =>
    value === undefined ? "" : html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  return html`${inputs}`
}

/** Renders a link to the application, with its host as the text. */
export function renderSiteLink(
  homeUrl: string,
  text: string = parseHost(homeUrl) ?? "Home",
): Markup {
  return html`<p class="note"><a class="site" href="${sanitizeUrl(homeUrl)}">${text}</a></p>\n`
}
