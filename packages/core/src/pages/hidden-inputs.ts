/** What every form carries along unseen. */
import { html, type Markup } from "./html.ts"

/** The CSRF token, and where to go afterwards; each is left out when there is none. */
export function renderHiddenInputs(csrfToken: string | undefined, callbackUrl?: string): Markup {
  return html`${renderHiddenInput("csrfToken", csrfToken)}${renderHiddenInput("callbackUrl", callbackUrl)}`
}

function renderHiddenInput(name: string, value: string | undefined): Markup | undefined {
  if (value === undefined) return undefined
  return html`<input type="hidden" name="${name}" value="${value}">\n`
}
