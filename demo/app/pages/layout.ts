/** The layout of all pages. */
import { html, type Markup, type TemplateValue } from "../../shared/html.ts"
import { productName, wordmark } from "../brand.ts"
import { type CurrentUser, createSignInUrl } from "../current-user.ts"
import { avatar } from "./avatar.ts"

export interface PageContext {
  readonly currentUser: CurrentUser | undefined
  /** Unread mail in the demo's inbox. */
  readonly unreadCount: number
}

export interface Page {
  readonly title: string
  /** The menu item of this page. */
  readonly activeMenuItem?: string
  readonly content: TemplateValue
}

export function renderLayout(
  { currentUser, unreadCount }: PageContext,
  { title, activeMenuItem, content }: Page,
): Markup {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === productName ? productName : html`${title} – ${productName}`}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/session.js"></script>
</head>
<body data-visitor="${currentUser?.id ?? ""}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="wide bar">
<a class="home" href="/">${wordmark}</a>
<nav aria-label="Main">
${currentUser ? renderMemberMenu(currentUser, activeMenuItem) : html`<a class="button small" href="${createSignInUrl("/journal")}">Sign in</a>`}
</nav>
</div>
</header>
<div class="wide" id="session-status" role="status"></div>
<main id="main">
${content}
</main>
<footer class="bottom">
<div class="wide">
<p>${productName} is the demo of Latchkey: nothing leaves this computer, and all mail arrives in the
<a href="/inbox"${ariaCurrent(activeMenuItem, "inbox")}>demo inbox</a>${
    unreadCount > 0 && html` <span class="count">${unreadCount} new</span>`
  }</p>
</div>
</footer>
</body>
</html>
`
}

function renderMemberMenu(currentUser: CurrentUser, activeMenuItem: string | undefined): Markup {
  return html`<a href="/journal"${ariaCurrent(activeMenuItem, "journal")}>Journal</a>
<a class="me" href="/account"${ariaCurrent(activeMenuItem, "account")}>${avatar(currentUser, 28)}<span>Account</span></a>`
}

function ariaCurrent(activeMenuItem: string | undefined, entry: string): Markup | false {
  return activeMenuItem === entry && html` aria-current="page"`
}
