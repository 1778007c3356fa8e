/** Pages of the social provider, in its own look. */
import type { OAuthClient } from "../shared/client.ts"
import { html, type Markup, type TemplateValue } from "../shared/html.ts"
import type { SocialUser, SocialUserStore } from "./people.ts"

/** What the provider calls itself. */
const providerName = "Plaza"

/** Asks who is there, and whether the application may know. */
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
${isNameInvalid && html`<p class="wrong" id="wrong" role="alert">Please type a name.</p>`}
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

/** Tells that a request leads nowhere. */
export function errorPage(client: OAuthClient, description: string): Markup {
  return renderDocument(
    "This request cannot be answered",
    html`<h1>This request cannot be answered</h1>
<p class="lead">${description}</p>
<p><a class="button" href="${client.homeUrl}">Go to ${client.name}</a></p>`,
  )
}

/** What is at the bare address. */
export function homePage(client: OAuthClient): Markup {
  return renderDocument(
    providerName,
    html`<h1>Where people meet</h1>
<p class="lead">${providerName} is the social OAuth 2 provider of the demo. It has a page on which you allow
${client.name} to know who you are.</p>
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
