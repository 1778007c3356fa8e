/** The protected page: somebody's own journal. */
import { html, type Markup } from "../../shared/html.ts"
import { monthOf } from "../almanac.ts"
import { longestNote, type Note } from "../notes.ts"
import type { Visitor } from "../visitor.ts"
import { dayOf, time } from "./dates.ts"
import type { Page } from "./frame.ts"

/** The journal of the person who is signed in. */
export function journalPage({ name }: Visitor, notes: readonly Note[], today: Date): Page {
  return {
    title: "Journal",
    here: "journal",
    content: html`<div class="wide columns">
<div class="main">
<h1>${name.includes("@") ? "Your" : html`${name}’s`} journal</h1>
<form class="card write" action="/journal" method="post">
<label for="text">What did you see today?</label>
<textarea id="text" name="text" rows="3" maxlength="${longestNote}" required></textarea>
<div class="row"><span class="hint">${dayOf(today)}</span><button class="button" type="submit">Write it down</button></div>
</form>
${notes.length === 0 ? empty : byDay(notes).map(day)}
</div>
${jobs(today)}
</div>`,
  }
}

const empty = html`<p class="empty">The first page is still blank. A single line is enough: the weather, a bird, the
first leaf.</p>`

/** Notes of one day after the other. */
function byDay(notes: readonly Note[]): readonly (readonly Note[])[] {
  const days = new Map<string, Note[]>()
  for (const note of notes) {
    const day = note.writtenAt.toDateString()
    days.set(day, [...(days.get(day) ?? []), note])
  }
  return [...days.values()]
}

function day(notes: readonly Note[]): Markup {
  const [first] = notes
  return html`<section class="day">
<h2>${first && dayOf(first.writtenAt)}</h2>
<ul>
${notes.map(entry)}</ul>
</section>
`
}

function entry({ id, writtenAt, text }: Note): Markup {
  return html`<li class="card note">
<p>${text}</p>
<form class="row" action="/journal/${id}/remove" method="post">
<span class="hint">${time(writtenAt)}</span>
<button class="link" type="submit" aria-label="Remove the note of ${time(writtenAt).text.replace(/<[^>]+>/g, "")}">Remove</button>
</form>
</li>
`
}

function jobs(today: Date): Markup {
  const month = monthOf(today)
  return html`<aside class="card jobs" aria-labelledby="jobs">
<h2 id="jobs">${month.name} in the garden</h2>
<ul>
${month.jobs.map((job) => html`<li class="job">${job}</li>\n`)}</ul>
</aside>`
}
