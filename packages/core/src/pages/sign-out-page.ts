/** The page that asks before it signs out. */
import type { PageContent } from "./document.ts"
import { renderHiddenInputs } from "./hidden-inputs.ts"
import { html } from "./html.ts"
import { exitIcon } from "./icons.ts"
import { sanitizeUrl } from "./links.ts"

/** What the sign-out page shows. */
export interface SignOutPageProps {
  csrfToken?: string | undefined
  /** Absolute URL the form posts to. */
  action: string
  /** Where people go afterwards, and where they stay when they do not sign out. */
  callbackUrl: string
  /** Name or address of the person who is signed in. */
  user?: string | undefined
}

/** The sign-out page. */
export function renderSignOutPage({
  csrfToken,
  action,
  callbackUrl,
  user,
}: SignOutPageProps): PageContent {
  return {
    title: "Sign Out",
    rootClass: "signout",
    card: html`<header>
<div class="emblem">${exitIcon}</div>
<h1>Signout</h1>
${user && html`<p>You are signed in as <strong>${user}</strong>.</p>\n`}\
<p>Are you sure you want to sign out?</p>
</header>
<form action="${sanitizeUrl(action)}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}\
<button class="button main" id="submitButton" type="submit">Sign out</button>
</form>
<p class="note"><a class="site" href="${sanitizeUrl(callbackUrl)}">Stay signed in</a></p>
`,
  }
}
