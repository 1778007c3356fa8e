/** The home page. */
import { html, type Markup } from "../../shared/html.ts"
import { getMonth, type Month } from "../almanac.ts"
import { productName } from "../brand.ts"
import { type CurrentUser, createSignInUrl } from "../current-user.ts"
import type { Note } from "../notes.ts"
import { formatShortDay } from "./dates.ts"
import { emailIcon, passkeyIcon, passwordIcon, providerIcon } from "./icons.ts"
import { type ExcerptLine, journalExcerpt } from "./journal-excerpt.ts"
import type { Page } from "./layout.ts"

/** The home page of visitors who are signed out. */
export function guestHomePage(): Page {
  return {
    title: productName,
    content: html`<div class="wide hero">
<div>
<h1>A line a day about your garden.</h1>
<p class="lead">${productName} keeps what you sowed, saw and picked, and tells you what the month asks for.
Next year you will be glad you wrote it down.</p>
<p class="actions"><a class="button" href="${createSignInUrl("/journal")}">Sign in</a>
<a class="button quiet" href="/join">Create an account</a></p>
</div>
${journalExcerpt("May, plot 4", sampleNotes)}
</div>
${signInMethods}`,
  }
}

/** The home page of users who are signed in. */
export function memberHomePage({ name }: CurrentUser, notes: readonly Note[], today: Date): Page {
  const latestNotes = notes.slice(0, 3).map(({ writtenAt, text }) => ({
    date: formatShortDay(writtenAt),
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
${latestNotes.length > 0 ? journalExcerpt("Your latest lines", latestNotes) : journalExcerpt("May, plot 4", sampleNotes)}
</div>
${monthlyTasks(getMonth(today))}`,
  }
}

const sampleNotes: readonly ExcerptLine[] = [
  { date: "3rd", text: "First asparagus. Six spears, none of which reached the house." },
  {
    date: "9th",
    text: "Frost after all. The beans under fleece are fine; the dahlias sulk.",
  },
  { date: "17th", text: "Swifts are back. Planted out the squash behind the shed." },
]

const signInMethods = html`<section class="wide ways" aria-labelledby="ways">
<h2 id="ways">Choose how to sign in</h2>
<ul>
${signInMethod(providerIcon("alder"), "Alder ID", "Use the account of your allotment society.")}\
${signInMethod(providerIcon("plaza"), "Plaza", "Use the account you have for everything else.")}\
${signInMethod(passkeyIcon, "A passkey", "Your fingerprint, your face or the PIN of your device.")}\
${signInMethod(emailIcon, "An email link", "No password to remember: we send you a link that works once.")}\
${signInMethod(passwordIcon, "A password", "The classic way, with your own user name.")}</ul>
</section>`

function signInMethod(sign: Markup, name: string, text: string): Markup {
  return html`<li class="way">${sign}<h3>${name}</h3><p>${text}</p></li>
`
}

function monthlyTasks({ name, tasks }: Month): Markup {
  return html`<section class="wide ways" aria-labelledby="work">
<h2 id="work">${name} in the garden</h2>
<ul>
${tasks.map((job) => html`<li class="way"><h3>${job}</h3></li>\n`)}</ul>
</section>`
}
