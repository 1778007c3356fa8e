/** The parts that the pages of both providers share. */
import type { OAuthClient } from "./client.ts"
import { html, type Markup, type TemplateValue } from "./html.ts"

/** Renders a page of a provider, with its mark and name at the top. */
export function renderProviderPage(
  { name, markSize }: { readonly name: string; readonly markSize: number },
  title: string,
  content: TemplateValue,
): Markup {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${name}</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><img src="/mark.svg" alt="" width="${markSize}" height="${markSize}"> ${name}</header>
<main>
${content}
</main>
</body>
</html>
`
}

/** Renders the field for a name that the page does not list. */
export function renderNameField(button: string, isInvalid: boolean): Markup {
  return html`<label for="name">Use another name</label>
<div class="row">
<input id="name" name="name" required maxlength="60" autocomplete="off" placeholder="Your name"${
    isInvalid && html` aria-invalid="true" aria-describedby="wrong"`
  }>
<button type="submit">${button}</button>
</div>
${isInvalid && html`<p class="wrong" id="wrong" role="alert">Please enter a name.</p>`}`
}

export function renderLinkToClient(client: OAuthClient): Markup {
  return html`<p><a class="button" href="${client.homeUrl}">Go to ${client.name}</a></p>`
}
