/** Who somebody is here, how long they stay signed in, and how they can sign in. */
import { html, type Markup } from "../../shared/html.ts"
import type { LinkedAccount } from "../linked.ts"
import type { Visitor } from "../visitor.ts"
import { avatar } from "./avatar.ts"
import { moment } from "./dates.ts"
import type { Page } from "./frame.ts"
import { type PasskeyDetails, passkeySection } from "./passkeys.ts"
import { done, envelope, key, providerMark } from "./signs.ts"

/** What the page shows. */
export interface AccountDetails extends PasskeyDetails {
  readonly visitor: Visitor
  readonly linked: readonly LinkedAccount[]
  readonly username: string | undefined
  /** When the address was proved by an email link. */
  readonly emailVerified: Date | null
  /** Proves to Latchkey that the forms of this page are ours. */
  readonly csrfToken: string
  /** The provider that was linked just now, or `passkey`. */
  readonly justLinked: string | undefined
}

/** Providers whose accounts can be linked. */
const providers = [
  { id: "tenantidp", name: "Alder ID", mark: "alder" },
  { id: "socialidp", name: "Plaza", mark: "plaza" },
] as const

/** The account page. */
export function accountPage(details: AccountDetails): Page {
  const { visitor, justLinked, csrfToken } = details
  const added = providers.find(({ id }) => id === justLinked)
  return {
    title: "Account",
    here: "account",
    content: html`<div class="narrow">
<h1>Your account</h1>
${justLinked === "passkey" && html`<p class="notice" role="status">Your passkey is ready. You can sign in with it from now on.</p>`}\
${added && html`<p class="notice" role="status">${added.name} is linked. You can sign in with it from now on.</p>`}
<section class="card person">
${avatar(visitor, 64)}
<div>
<h2>${visitor.name}</h2>
<p class="hint">${visitor.email === visitor.name ? "" : visitor.email || "No email address"}</p>
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
<p>You stay signed in on this browser until ${moment(visitor.expires)}. Coming back extends it, at most once
a day.</p>
<form action="/auth/signout" method="post">
${secret("csrfToken", csrfToken)}${secret("callbackUrl", "/")}\
<button class="button quiet" type="submit">Sign out</button>
</form>
</section>
</div>`,
  }
}

function providerRow(
  { id, name, mark }: (typeof providers)[number],
  { linked, csrfToken }: AccountDetails,
): Markup {
  const account = linked.find(({ provider }) => provider === id)
  const picture = providerMark(mark)
  if (account) return row(picture, name, `Linked to account ${account.accountId}`, done)
  const form = html`<form action="/auth/signin/${id}" method="post">
${secret("csrfToken", csrfToken)}${secret("callbackUrl", `/account?linked=${id}`)}${secret("link", "true")}\
<button class="button quiet small" type="submit">Link<span class="unseen"> ${name}</span></button>
</form>`
  return row(picture, name, "Not linked", form)
}

function emailRow({ visitor: { email }, emailVerified }: AccountDetails): Markup {
  if (email === "") return row(envelope, "Link by email", "We know no address of yours", undefined)
  const state = emailVerified ? "proved" : "not used yet"
  return row(envelope, "Link by email", `${email}, ${state}`, emailVerified ? done : undefined)
}

function passwordRow({ username }: AccountDetails): Markup {
  if (username === undefined) return row(key, "Password", "Not set", undefined)
  return row(key, "Password", `With the user name ${username}`, done)
}

function row(picture: Markup, name: string, state: string, action: Markup | undefined): Markup {
  return html`<li class="way-in">${picture}<div><strong>${name}</strong><span class="hint">${state}</span></div>${action}</li>
`
}

function secret(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">\n`
}
