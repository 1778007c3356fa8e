/** Everybody's mailbox: where the demo's mail arrives. */
import type { Letter } from "../../mail/letters.ts"
import { html, type Markup } from "../../shared/html.ts"
import { time } from "./dates.ts"
import type { Page } from "./frame.ts"

/** The letters, the newest first. */
export function inboxPage(
  letters: readonly Letter[],
  isUnread: (letter: Letter) => boolean,
  origin: string,
): Page {
  return {
    title: "Demo inbox",
    here: "inbox",
    content: html`<div class="narrow">
<h1>Demo inbox</h1>
<p class="lead">Mail to anybody arrives here, by SMTP. Outside of a demo only its owner would see it.</p>
${letters.length === 0 ? empty : html`<ul class="letters">\n${letters.map((letter) => card(letter, isUnread(letter), origin))}</ul>`}
<p><a class="button quiet" href="/inbox">Look again</a></p>
</div>`,
  }
}

const empty = html`<p class="empty">No mail yet. Choose “Sign in with an email link”, type any address, and come
back.</p>`

function card(letter: Letter, isNew: boolean, origin: string): Markup {
  const id = `letter-${letter.number}`
  return html`<li><article class="card letter" aria-labelledby="${id}">
<header>
<h2 id="${id}">${letter.subject}${isNew && html` <span class="count">new</span>`}</h2>
<p class="hint">To ${letter.to}, ${time(letter.arrived)}</p>
</header>
<p class="text">${linked(letter.text, origin)}</p>
</article></li>
`
}

/** The text, with links to ourselves only: anybody could have sent it. */
function linked(text: string, origin: string): readonly (Markup | string)[] {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => {
    const url = index % 2 === 1 && URL.canParse(part) ? new URL(part) : undefined
    if (url?.origin !== origin) return part
    return html`<a href="${url.href}">${url.host}${url.pathname}${url.search && "?…"}</a>`
  })
}
