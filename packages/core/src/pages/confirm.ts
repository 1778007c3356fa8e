/** The page between a sign-in link and its use: mail scanners open links, but they press no buttons. */
import type { Content } from "./document.ts"
import { hiddenInputs } from "./hidden-inputs.ts"
import { html } from "./html.ts"
import { webUrl } from "./links.ts"
import { envelope } from "./marks.ts"
import { siteLink } from "./site-link.ts"

/** What the page shows. */
export interface ConfirmProps {
  /** Absolute URL the form posts to, which uses the link. */
  action: string
  csrfToken?: string | undefined
  /** The address in the link. */
  email: string
  /** URL of the application. */
  homeUrl: string
}

/** The page that asks whether to go on as the person who has the address. */
export function confirmPage({ action, csrfToken, email, homeUrl }: ConfirmProps): Content {
  return {
    title: "Confirm Sign In",
    root: "confirm",
    card: html`<header>
<div class="emblem">${envelope}</div>
<h1>Almost there</h1>
<p>If you did not ask to sign in, close this page and nothing happens.</p>
</header>
<form action="${webUrl(action)}" method="post">
${hiddenInputs(csrfToken)}\
<button class="button main" id="submitButton" type="submit">Continue as ${email}</button>
</form>
${siteLink(homeUrl)}
`,
  }
}
