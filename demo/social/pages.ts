/** The pages of the social provider. */
import type { OAuthClient } from "../shared/client.ts"
import { html, type Markup, type TemplateValue } from "../shared/html.ts"
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
${hidden}<label for="name">Use another name</label>
<div class="row">
<input id="name" name="name" required maxlength="60" autocomplete="off" placeholder="Your name"${
      isNameInvalid && html` aria-invalid="true" aria-describedby="wrong"`
    }>
<button type="submit">Allow</button>
</div>
${isNameInvalid && html`<p class="wrong" id="wrong" role="alert">Please enter a name.</p>`}
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
<p><a class="button" href="${client.homeUrl}">Go to ${client.name}</a></p>`,
  )
}

export function homePage(client: OAuthClient): Markup {
  return renderDocument(
    providerName,
    html`<h1>Where people meet</h1>
<p class="lead">${providerName} is the social OAuth 2 provider of the demo. On its consent page, you allow
${client.name} to use your profile.</p>
<p><a class="button" href="${client.homeUrl}">Go to ${client.name}</a></p>`,
  )
}

function renderDocument(title: string, content: TemplateValue): Markup {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${providerName}</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><img src="/mark.svg" alt="" width="32" height="32"> ${providerName}</header>
<main>
${content}
</main>
</body>
</html>
`
}
