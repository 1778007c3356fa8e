/** The account page: the user, this session, and the pages with more. */
import { html } from "../../shared/html.ts"
import type { CurrentUser } from "../current-user.ts"
import { avatar } from "./avatar.ts"
import { dateTimeElement } from "./dates.ts"
import { signOutForm } from "./forms.ts"
import { type Item, itemList } from "./items.ts"
import type { Page } from "./layout.ts"

const subPages: readonly Item[] = [
  {
    name: html`<a href="/account/connected-accounts">Connected accounts</a>`,
    hint: "How you can sign in, and your passkeys",
  },
  {
    name: html`<a href="/account/security">Security</a>`,
    hint: "An app whose code we ask for when you sign in",
  },
  { name: html`<a href="/account/sessions">Your sessions</a>`, hint: "Where you are signed in" },
]

export function accountPage(currentUser: CurrentUser, csrfToken: string): Page {
  const { name, email, expires } = currentUser
  return {
    title: "Account",
    activeMenuItem: "account",
    content: html`<div class="narrow">
<h1>Your account</h1>
<section class="card person">
${avatar(currentUser, 64)}
<div>
<h2>${name}</h2>
<p class="hint">${email === name ? "" : email || "No email address"}</p>
</div>
</section>
<section class="card" aria-labelledby="security">
<h2 id="security">Sign-in and security</h2>
${itemList(subPages)}
</section>
<section class="card" aria-labelledby="session">
<h2 id="session">This session</h2>
<p>You stay signed in on this browser until ${dateTimeElement(expires)}. Each visit extends the session, at most once
a day.</p>
${signOutForm(csrfToken, "button quiet")}
</section>
</div>`,
  }
}
