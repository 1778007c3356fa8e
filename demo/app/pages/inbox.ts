/** The inbox for all mail of the demo. */
import type { ReceivedEmail } from "../../mail/inbox.ts"
import { html, type Markup } from "../../shared/html.ts"
import { timeElement } from "./dates.ts"
import type { Page } from "./layout.ts"

/** Lists the mail, the newest first. */
export function inboxPage(
  inbox: readonly ReceivedEmail[],
  isUnread: (email: ReceivedEmail) => boolean,
  origin: string,
): Page {
  return {
    title: "Demo inbox",
    activeMenuItem: "inbox",
    content: html`<div class="narrow">
<h1>Demo inbox</h1>
<p class="lead">All mail of the demo arrives here by SMTP, whatever its address.</p>
${inbox.length === 0 ? emptyInbox : html`<ul class="letters">\n${inbox.map((email) => emailCard(email, isUnread(email), origin))}</ul>`}
<p><a class="button quiet" href="/inbox">Refresh</a></p>
</div>`,
  }
}

const emptyInbox = html`<p class="empty">No mail yet. Choose “Sign in with an email link”, type any address, and come
back.</p>`

function emailCard(email: ReceivedEmail, isNew: boolean, origin: string): Markup {
  const id = `letter-${email.number}`
  return html`<li><article class="card letter" aria-labelledby="${id}">
<header>
<h2 id="${id}">${email.subject}${isNew && html` <span class="count">new</span>`}</h2>
<p class="hint">To ${email.to}, ${timeElement(email.receivedAt)}</p>
</header>
<p class="text">${linkOwnUrls(email.text, origin)}</p>
${email.html !== "" && html`<p><a href="/inbox/${email.number}">View it as mail clients show it</a></p>\n`}</article></li>
`
}

/** Renders text with links to this site only, because anyone could have sent the mail. */
function linkOwnUrls(text: string, origin: string): readonly (Markup | string)[] {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => {
    const url = index % 2 === 1 && URL.canParse(part) ? new URL(part) : undefined
    if (url?.origin !== origin) return part
    return html`<a href="${url.href}">${url.host}${url.pathname}${url.search && "?…"}</a>`
  })
}
