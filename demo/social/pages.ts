/** The pages of the social provider. */
import type { OAuthClient } from "../shared/client.ts"
import { html, type Markup, type TemplateValue } from "../shared/html.ts"
import {
  renderLinkToClient,
  renderNameField,
  renderProviderPage,
} from "../shared/provider-pages.ts"
import type { SocialUser, SocialUserStore } from "./users.ts"

const providerName = "Plaza"

/** Asks who the user is, and for consent. */
export function consentPage(
  client: OAuthClient,
  users: SocialUserStore,
  query: URLSearchParams,
  isNameInvalid: boolean,
): Markup {
  const hidden = [...query].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  return renderDocument(
    `Continue to ${client.name}`,
    html`<h1>Continue to ${client.name}</h1>
<p class="lead">${client.name} asks for your name, your email address and your picture.</p>
<form action="/authorize" method="post" class="people">
${hidden}${users.listed.map((user) => userButton(user))}
</form>
<form action="/authorize" method="post" class="other">
${hidden}${renderNameField("Allow", isNameInvalid)}
</form>
<form action="/authorize" method="post">
${hidden}<button type="submit" name="cancel" value="yes" class="plain">Don’t allow</button>
</form>`,
  )
}

function userButton({ id, display_name, login, default_avatar_id }: SocialUser): Markup {
  return html`<button class="person" type="submit" name="person" value="${id}">
<img src="/avatars/${default_avatar_id}" alt="" width="48" height="48">
<span><strong>Allow as ${display_name}</strong><span class="role">@${login}</span></span>
</button>
`
}

/** Explains an error that cannot be sent to the application. */
export function errorPage(client: OAuthClient, description: string): Markup {
  return renderDocument(
    "Invalid request",
    html`<h1>Invalid request</h1>
<p class="lead">${description}</p>
${renderLinkToClient(client)}`,
  )
}

export function homePage(client: OAuthClient): Markup {
  return renderDocument(
    providerName,
    html`<h1>Where people meet</h1>
<p class="lead">${providerName} is the social OAuth 2 provider of the demo. On its consent page, you allow
${client.name} to use your profile.</p>
${renderLinkToClient(client)}`,
  )
}

const renderDocument = (title: string, content: TemplateValue): Markup =>
  renderProviderPage({ name: providerName, markSize: 32 }, title, content)
