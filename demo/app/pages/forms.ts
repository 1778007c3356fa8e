/** Parts of forms. */
import type { AccountKey } from "@latchkey/core/adapters"
import { html, type Markup } from "../../shared/html.ts"

export function hiddenInputs(fields: Readonly<Record<string, string>>): readonly Markup[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
}

/** The form that ends the session of this browser. */
export function signOutForm(csrfToken: string, buttonClass: string): Markup {
  return html`<form action="/auth/signout" method="post">
${hiddenInputs({ csrfToken, callbackUrl: "/" })}<button class="${buttonClass}" type="submit">Sign out</button>
</form>`
}

/** The form that removes an account or a passkey from the ways to sign in. */
export function unlinkForm(account: AccountKey, label: string, unseenName: string): Markup {
  const { provider, providerAccountId } = account
  return html`<form action="/account/connected-accounts/unlink" method="post">
${hiddenInputs({ provider, providerAccountId })}\
<button class="button quiet small" type="submit">${label}<span class="unseen"> ${unseenName}</span></button>
</form>`
}
