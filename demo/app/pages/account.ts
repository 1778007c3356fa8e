/** The account page: the user, the session, and the ways to sign in. */
import { html, type Markup } from "../../shared/html.ts"
import type { CurrentUser } from "../current-user.ts"
import type { LinkedAccount } from "../linked-accounts.ts"
import { avatar } from "./avatar.ts"
import { dateTimeElement } from "./dates.ts"
import { emailIcon, passwordIcon, providerIcon, readyIcon } from "./icons.ts"
import type { Page } from "./layout.ts"
import { type PasskeyDetails, passkeySection } from "./passkeys.ts"

export interface AccountDetails extends PasskeyDetails {
  readonly currentUser: CurrentUser
  readonly linkedAccounts: readonly LinkedAccount[]
  readonly username: string | undefined
  /** When the user verified the address with an email link. */
  readonly emailVerified: Date | null
  /** Token for the forms that post to Latchkey. */
  readonly csrfToken: string
  /** The provider that has just been linked, or `passkey`. */
  readonly newlyLinked: string | undefined
}

const providers = [
  { id: "tenantidp", name: "Alder ID", mark: "alder" },
  { id: "socialidp", name: "Plaza", mark: "plaza" },
] as const

export function accountPage(details: AccountDetails): Page {
  const { currentUser, newlyLinked, csrfToken } = details
  const linkedProvider = providers.find(({ id }) => id === newlyLinked)
  return {
    title: "Account",
    activeMenuItem: "account",
    content: html`<div class="narrow">
<h1>Your account</h1>
${newlyLinked === "passkey" && html`<p class="notice" role="status">Your passkey is ready. You can sign in with it from now on.</p>`}\
${linkedProvider && html`<p class="notice" role="status">${linkedProvider.name} is linked. You can sign in with it from now on.</p>`}
<section class="card person">
${avatar(currentUser, 64)}
<div>
<h2>${currentUser.name}</h2>
<p class="hint">${currentUser.email === currentUser.name ? "" : currentUser.email || "No email address"}</p>
</div>
</section>
<section class="card" aria-labelledby="ways">
<h2 id="ways">Ways to sign in</h2>
<ul class="ways-in">
${providers.map((provider) => providerRow(provider, details))}\
${emailRow(details)}${passwordRow(details)}</ul>
</section>
${passkeySection(details)}
<section class="card" aria-labelledby="session">
<h2 id="session">This session</h2>
<p>You stay signed in on this browser until ${dateTimeElement(currentUser.expires)}. Each visit extends the session, at most once
a day.</p>
<form action="/auth/signout" method="post">
${hiddenInput("csrfToken", csrfToken)}${hiddenInput("callbackUrl", "/")}\
<button class="button quiet" type="submit">Sign out</button>
</form>
</section>
</div>`,
  }
}

function providerRow(
  { id, name, mark }: (typeof providers)[number],
  { linkedAccounts, csrfToken }: AccountDetails,
): Markup {
  const account = linkedAccounts.find(({ provider }) => provider === id)
  const picture = providerIcon(mark)
  if (account)
    return signInMethodRow(picture, name, `Linked to account ${account.accountId}`, readyIcon)
  const form = html`<form action="/auth/signin/${id}" method="post">
${hiddenInput("csrfToken", csrfToken)}${hiddenInput("callbackUrl", `/account?linked=${id}`)}${hiddenInput("link", "true")}\
<button class="button quiet small" type="submit">Link<span class="unseen"> ${name}</span></button>
</form>`
  return signInMethodRow(picture, name, "Not linked", form)
}

function emailRow({ currentUser: { email }, emailVerified }: AccountDetails): Markup {
  if (email === "")
    return signInMethodRow(emailIcon, "Link by email", "No email address", undefined)
  const state = emailVerified ? "verified" : "not verified"
  return signInMethodRow(
    emailIcon,
    "Link by email",
    `${email}, ${state}`,
    emailVerified ? readyIcon : undefined,
  )
}

function passwordRow({ username }: AccountDetails): Markup {
  if (username === undefined) return signInMethodRow(passwordIcon, "Password", "Not set", undefined)
  return signInMethodRow(passwordIcon, "Password", `User name: ${username}`, readyIcon)
}

function signInMethodRow(
  picture: Markup,
  name: string,
  state: string,
  action: Markup | undefined,
): Markup {
  return html`<li class="way-in">${picture}<div><strong>${name}</strong><span class="hint">${state}</span></div>${action}</li>
`
}

function hiddenInput(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">\n`
}
