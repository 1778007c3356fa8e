/** The page with the accounts and passkeys of a user, each of which they can disconnect. */
import type { LinkedAccount, PasskeyInfo } from "@latchkey/core"
import { html, type Markup } from "../../shared/html.ts"
import type { CurrentUser } from "../current-user.ts"
import { hiddenInputs, unlinkForm } from "./forms.ts"
import { emailIcon, passwordIcon, providerIcon, readyIcon } from "./icons.ts"
import { type Item, itemList } from "./items.ts"
import type { Page } from "./layout.ts"
import { passkeySection } from "./passkeys.ts"

export interface ConnectedAccountsDetails {
  readonly currentUser: CurrentUser
  readonly accounts: readonly LinkedAccount[]
  readonly passkeys: readonly PasskeyInfo[]
  readonly username: string | undefined
  /** When the user verified the address with an email link. */
  readonly emailVerified: Date | null
  /** Token for the forms that post to Latchkey. */
  readonly csrfToken: string
  /** The message above the list. */
  readonly notice: Markup | undefined
}

/** The path of this page. */
export const connectedAccountsPath = "/account/connected-accounts"

const providers = [
  { id: "tenantidp", name: "Alder ID", mark: "alder" },
  { id: "socialidp", name: "Plaza", mark: "plaza" },
] as const

export function connectedAccountsPage(details: ConnectedAccountsDetails): Page {
  return {
    title: "Connected accounts",
    activeMenuItem: "account",
    content: html`<div class="narrow">
<p class="back"><a href="/account">Your account</a></p>
<h1>Connected accounts</h1>
<p class="lead">How you can sign in. You need at least one of them.</p>
${details.notice}
<section class="card" aria-labelledby="ways">
<h2 id="ways">Ways to sign in</h2>
${itemList([...providers.flatMap((provider) => providerItems(provider, details)), emailItem(details), passwordItem(details)])}
</section>
${passkeySection(details.passkeys)}
</div>`,
  }
}

/** Returns the message after a provider or a passkey was added. */
export function linkedNotice(provider: string): Markup {
  const name = providers.find(({ id }) => id === provider)?.name
  const text = name ? `${name} is connected.` : "Your passkey is ready."
  return html`<p class="notice" role="status">${text} You can sign in with it from now on.</p>`
}

export const lastAccountNotice: Markup = html`<p class="notice problem" role="alert">This is your only way to sign in. Add another one before you remove it.</p>`

export const freshSessionNotice: Markup = html`<p class="notice" role="status">Thank you. You can remove a way to sign in now.</p>`

function providerItems(
  { id, name, mark }: (typeof providers)[number],
  { accounts, csrfToken }: ConnectedAccountsDetails,
): readonly Item[] {
  const picture = providerIcon(mark)
  const linked = accounts.filter(({ provider }) => provider === id)
  if (linked.length > 0)
    return linked.map((account) => ({
      picture,
      name,
      hint: "Connected",
      action: unlinkForm(account, "Disconnect", name),
    }))
  const callbackUrl = `${connectedAccountsPath}?linked=${id}`
  const action = html`<form action="/auth/signin/${id}" method="post">
${hiddenInputs({ csrfToken, callbackUrl, link: "true" })}\
<button class="button quiet small" type="submit">Connect<span class="unseen"> ${name}</span></button>
</form>`
  return [{ picture, name, hint: "Not connected", action }]
}

function emailItem({ currentUser: { email }, emailVerified }: ConnectedAccountsDetails): Item {
  const item = { picture: emailIcon, name: "Email link" }
  if (email === "") return { ...item, hint: "No email address" }
  if (!emailVerified) return { ...item, hint: `${email}, not verified` }
  return { ...item, hint: `${email}, verified`, action: readyIcon }
}

function passwordItem({ username }: ConnectedAccountsDetails): Item {
  const item = { picture: passwordIcon, name: "Password" }
  if (username === undefined) return { ...item, hint: "Not set" }
  return { ...item, hint: `User name: ${username}`, action: readyIcon }
}
