/** The pages of the development provider. They work without scripts, and load nothing. */
import { createHash } from "node:crypto"
import { escapeHtml } from "../provider/escape-html.ts"
import type { ScriptedUser } from "../provider/types.ts"
import { stylesheet } from "./stylesheet.ts"

interface SignInPageProps {
  readonly users: readonly ScriptedUser[]
  /** The host of the application. */
  readonly application: string
  /** The query of the authorization request, with its question mark. */
  readonly query: string
}

/** Renders a button for each person. */
export function renderSignInPage({ users, application, query }: SignInPageProps): string {
  return renderPage(
    "Choose who to sign in as",
    `<p>to continue to <strong>${escapeHtml(application)}</strong></p>
<form method="post" action="${escapeHtml(`/authorize${query}`)}">
${users.map(renderUser).join("\n")}
<button class="plain">Cancel</button>
</form>
<p class="note">These people are made up. Latchkey shows this page only in development, and only on this computer:
register your application at a provider before you deploy it.</p>`,
  )
}

export function renderErrorPage(message: string): string {
  return renderPage("This sign-in cannot continue", `<p>${escapeHtml(message)}</p>`)
}

const stylesheetHash = createHash("sha256").update(stylesheet).digest("base64")

/**
 * Allows the style sheet, and nothing else. There is no `form-action`, because Chromium also applies it to the redirects
 * that follow the form: to the application, and from there perhaps to a front end at another port.
 */
export const contentSecurityPolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${stylesheetHash}'`,
  "img-src data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

function renderUser({ sub, name, email }: ScriptedUser): string {
  const title = name ?? email ?? sub
  const detail = email === undefined || email === title ? "" : `<span>${escapeHtml(email)}</span>`
  return `<button class="user" name="user" value="${escapeHtml(sub)}"><strong>${escapeHtml(title)}</strong>${detail}</button>`
}

function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – development</title>
<link rel="icon" href="data:,">
<style>${stylesheet}</style>
</head>
<body>
<main>
<p class="mark">Development</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
}
