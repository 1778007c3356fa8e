/** The pages of the tenant provider. */
import type { OAuthClient } from "../shared/client.ts"
import { html, type Markup, type TemplateValue } from "../shared/html.ts"
import { getInitials } from "../shared/names.ts"
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
<label for="name">Use another name</label>
<div class="row">
<input id="name" name="name" required maxlength="60" autocomplete="off" placeholder="Your name"${
      isNameInvalid && html` aria-invalid="true" aria-describedby="wrong"`
    }>
<button type="submit">Continue</button>
</div>
${isNameInvalid && html`<p class="wrong" id="wrong" role="alert">Please enter a name.</p>`}
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
<p><a class="button" href="${client.homeUrl}">Go to ${client.name}</a></p>
<p class="fine">${error}${description && html`: ${description}`}</p>`,
  )
}

export function homePage(client: OAuthClient): Markup {
  return renderDocument(
    providerName,
    html`<h1>One account for everything at ${tenantName}</h1>
<p class="lead">${providerName} is the OpenID Connect provider of the demo. ${client.name} redirects you
to its sign-in page.</p>
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
<header><img src="/mark.svg" alt="" width="28" height="28"> ${providerName}</header>
<main>
${content}
</main>
</body>
</html>
`
}
