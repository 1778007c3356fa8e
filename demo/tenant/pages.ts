/** The pages of the tenant provider. */
import type { OAuthClient } from "../shared/client.ts"
import { html, type Markup, type TemplateValue } from "../shared/html.ts"
import { getInitials } from "../shared/names.ts"
import {
  renderLinkToClient,
  renderNameField,
  renderProviderPage,
} from "../shared/provider-pages.ts"
import type { TenantUser, TenantUserStore } from "./users.ts"

const providerName = "Alder ID"

/** The tenant of the demo's users. */
const tenantName = "Riverside Allotments"

/** Asks who the user is, and lists what the application receives. */
export function signInPage(
  client: OAuthClient,
  users: TenantUserStore,
  uid: string,
  isNameInvalid: boolean,
): Markup {
  return renderDocument(
    `Sign in to ${client.name}`,
    html`<p class="tenant">${tenantName}</p>
<h1>Sign in to ${client.name}</h1>
<p class="lead">Choose your ${providerName} account.</p>
<form action="/interaction/${uid}" method="post" class="people">
${users.listed.map(userButton)}
</form>
<form action="/interaction/${uid}" method="post" class="other">
${renderNameField("Continue", isNameInvalid)}
</form>
<p class="fine">${client.name} will receive your name and your email address. There are no passwords here:
this provider is part of the demo and accepts any name.</p>
<form action="/interaction/${uid}/cancel" method="post">
<button type="submit" class="plain">Cancel and go back</button>
</form>`,
  )
}

function userButton({ sub, name, role }: TenantUser): Markup {
  return html`<button class="person" type="submit" name="person" value="${sub}">
<span class="initials" aria-hidden="true">${getInitials(name)}</span>
<span><strong>${name}</strong><span class="role">${role}</span></span>
</button>
`
}

/** Explains an error that cannot be sent to the application. */
export function errorPage(client: OAuthClient, error: string, description?: string): Markup {
  return renderDocument(
    "This page is out of date",
    html`<h1>This page is out of date</h1>
<p class="lead">Its sign-in has finished or has timed out. Your account is unchanged.</p>
${renderLinkToClient(client)}
<p class="fine">${error}${description && html`: ${description}`}</p>`,
  )
}

export function homePage(client: OAuthClient): Markup {
  return renderDocument(
    providerName,
    html`<h1>One account for everything at ${tenantName}</h1>
<p class="lead">${providerName} is the OpenID Connect provider of the demo. ${client.name} redirects you
to its sign-in page.</p>
${renderLinkToClient(client)}`,
  )
}

const renderDocument = (title: string, content: TemplateValue): Markup =>
  renderProviderPage({ name: providerName, markSize: 28 }, title, content)
