/** The page that everybody sees first. */
import { html, type Markup } from "../../shared/html.ts"
import { type Month, monthOf } from "../almanac.ts"
import { productName } from "../brand.ts"
import type { Note } from "../notes.ts"
import { signInUrl, type Visitor } from "../visitor.ts"
import { shortDay } from "./dates.ts"
import type { Page } from "./frame.ts"
import { type Line, leaf } from "./leaf.ts"
import { envelope, key, providerMark } from "./signs.ts"

/** Invites people to sign in. */
export function guestHomePage(): Page {
  return {
    title: productName,
    content: html`<div class="wide hero">
<div>
<h1>A line a day about your garden.</h1>
<p class="lead">${productName} keeps what you sowed, saw and picked, and tells you what the month asks for.
Next year you will be glad you wrote it down.</p>
<p class="actions"><a class="button" href="${signInUrl("/journal")}">Sign in</a>
<a class="button quiet" href="/join">Create an account</a></p>
</div>
${leaf("May, plot 4", somebodysMay)}
</div>
${waysIn}`,
  }
}

/** Welcomes somebody back. */
export function memberHomePage({ name }: Visitor, notes: readonly Note[], today: Date): Page {
  const latest = notes.slice(0, 3).map(({ writtenAt, text }) => ({
    when: shortDay(writtenAt),
    text: text.length > 90 ? `${text.slice(0, 88).replace(/\s+\S*$/, "")}\u00a0…` : text,
  }))
  return {
    title: productName,
    content: html`<div class="wide hero">
<div>
<h1>Welcome back, ${name}.</h1>
<p class="lead">Your journal is open. What did you see today?</p>
<p class="actions"><a class="button" href="/journal">Open your journal</a>
<a class="button quiet" href="/account">Your account</a></p>
</div>
${latest.length > 0 ? leaf("Your latest lines", latest) : leaf("May, plot 4", somebodysMay)}
</div>
${work(monthOf(today))}`,
  }
}

const somebodysMay: readonly Line[] = [
  { when: "3rd", text: "First asparagus. Six spears, none of which reached the house." },
  {
    when: "9th",
    text: "Frost after all. The beans under fleece are fine; the dahlias sulk.",
  },
  { when: "17th", text: "Swifts are back. Planted out the squash behind the shed." },
]

const waysIn = html`<section class="wide ways" aria-labelledby="ways">
<h2 id="ways">Come in the way you like</h2>
<ul>
${way(providerMark("alder"), "Alder ID", "With the account of your allotment society.")}\
${way(providerMark("plaza"), "Plaza", "With the account you have for everything else.")}\
${way(envelope, "A link by email", "Nothing to remember: we send you a link that works once.")}\
${way(key, "A password", "The old way, with a user name of your own.")}</ul>
</section>`

function way(sign: Markup, name: string, text: string): Markup {
  return html`<li class="way">${sign}<h3>${name}</h3><p>${text}</p></li>
`
}

function work({ name, jobs }: Month): Markup {
  return html`<section class="wide ways" aria-labelledby="work">
<h2 id="work">${name} in the garden</h2>
<ul>
${jobs.map((job) => html`<li class="way"><h3>${job}</h3></li>\n`)}</ul>
</section>`
}
