/** The journal, a protected page. */
import { html, type Markup } from "../../shared/html.ts"
import { getMonth } from "../almanac.ts"
import type { CurrentUser } from "../current-user.ts"
import { maxNoteLength, type Note } from "../notes.ts"
import { formatDay, timeElement } from "./dates.ts"
import type { Page } from "./layout.ts"

/** Renders the journal of the current user. */
export function journalPage({ name }: CurrentUser, notes: readonly Note[], today: Date): Page {
  return {
    title: "Journal",
    activeMenuItem: "journal",
    content: html`<div class="wide columns">
<div class="main">
<h1>${name.includes("@") ? "Your" : html`${name}’s`} journal</h1>
<form class="card write" action="/journal" method="post">
<label for="text">What did you see today?</label>
<textarea id="text" name="text" rows="3" maxlength="${maxNoteLength}" required></textarea>
<div class="row"><span class="hint">${formatDay(today)}</span><button class="button" type="submit">Write it down</button></div>
</form>
${notes.length === 0 ? emptyJournal : groupByDay(notes).map(daySection)}
</div>
${monthlyTasks(today)}
</div>`,
  }
}

const emptyJournal = html`<p class="empty">The first page is still blank. A single line is enough: the weather, a bird, the
first leaf.</p>`

function groupByDay(notes: readonly Note[]): readonly (readonly Note[])[] {
  const days = new Map<string, Note[]>()
  for (const note of notes) {
    const day = note.writtenAt.toDateString()
    days.set(day, [...(days.get(day) ?? []), note])
  }
  return [...days.values()]
}

function daySection(notes: readonly Note[]): Markup {
  const [first] = notes
  return html`<section class="day">
<h2>${first && formatDay(first.writtenAt)}</h2>
<ul>
${notes.map(noteItem)}</ul>
</section>
`
}

function noteItem({ id, writtenAt, text }: Note): Markup {
  return html`<li class="card note">
<p>${text}</p>
<form class="row" action="/journal/${id}/remove" method="post">
<span class="hint">${timeElement(writtenAt)}</span>
<button class="link" type="submit" aria-label="Remove the note of ${timeElement(writtenAt).text.replace(/<[^>]+>/g, "")}">Remove</button>
</form>
</li>
`
}

function monthlyTasks(today: Date): Markup {
  const month = getMonth(today)
  return html`<aside class="card jobs" aria-labelledby="jobs">
<h2 id="jobs">${month.name} in the garden</h2>
<ul>
${month.tasks.map((job) => html`<li class="job">${job}</li>\n`)}</ul>
</aside>`
}
