/** What all pages of the application have around them. */
import { type Hole, html, type Markup } from "../../shared/html.ts"
import { productName, wordmark } from "../brand.ts"
import { signInUrl, type Visitor } from "../visitor.ts"
import { avatar } from "./avatar.ts"

/** What a page knows of the request. */
export interface Context {
  readonly visitor: Visitor | undefined
  /** Mail in the demo's inbox that nobody has looked at. */
  readonly unread: number
}

/** One page. */
export interface Page {
  readonly title: string
  /** The entry of the menu that leads here. */
  readonly here?: string
  readonly content: Hole
}

/** The whole document. */
export function frame({ visitor, unread }: Context, { title, here, content }: Page): Markup {
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
<body data-visitor="${visitor?.id ?? ""}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="wide bar">
<a class="home" href="/">${wordmark}</a>
<nav aria-label="Main">
${visitor ? memberMenu(visitor, here) : html`<a class="button small" href="${signInUrl("/journal")}">Sign in</a>`}
</nav>
</div>
</header>
<div class="wide" id="session-status" role="status"></div>
<main id="main">
${content}
</main>
<footer class="bottom">
<div class="wide">
<p>${productName} is the demo of Latchkey: nothing leaves this computer, and mail to anybody arrives in the
<a href="/inbox"${current(here, "inbox")}>demo inbox</a>${
    unread > 0 && html` <span class="count">${unread} new</span>`
  }</p>
</div>
</footer>
</body>
</html>
`
}

function memberMenu(visitor: Visitor, here: string | undefined): Markup {
  return html`<a href="/journal"${current(here, "journal")}>Journal</a>
<a class="me" href="/account"${current(here, "account")}>${avatar(visitor, 28)}<span>Account</span></a>`
}

function current(here: string | undefined, entry: string): Markup | false {
  return here === entry && html` aria-current="page"`
}
