/** The page that asks before it signs out. */
import type { Content } from "./document.ts"
import { hiddenInputs } from "./hidden-inputs.ts"
import { html } from "./html.ts"
import { webUrl } from "./links.ts"
import { exit } from "./marks.ts"

/** What the sign-out page shows. */
export interface SignOutProps {
  csrfToken?: string | undefined
  /** Absolute URL the form posts to. */
  action: string
  /** Where people go afterwards, and where they stay when they do not sign out. */
  callbackUrl: string
  /** Name or address of the person who is signed in. */
  user?: string | undefined
}

/** The sign-out page. */
export function signOutPage({ csrfToken, action, callbackUrl, user }: SignOutProps): Content {
  return {
    title: "Sign Out",
    root: "signout",
    card: html`<header>
<div class="emblem">${exit}</div>
<h1>Signout</h1>
${user && html`<p>You are signed in as <strong>${user}</strong>.</p>\n`}\
<p>Are you sure you want to sign out?</p>
</header>
<form action="${webUrl(action)}" method="post">
${hiddenInputs(csrfToken, callbackUrl)}\
<button class="button main" id="submitButton" type="submit">Sign out</button>
</form>
<p class="note"><a class="site" href="${webUrl(callbackUrl)}">Stay signed in</a></p>
`,
  }
}
