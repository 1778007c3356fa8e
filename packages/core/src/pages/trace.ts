/** What a developer is told below the card: the error, what to change, and what was looked at on the way. */
import type { TraceReport, TraceStep } from "../http/trace.ts"
import { html, type Markup } from "./html.ts"

/** The panel of a failure. Nothing in it is secret, and nobody but the developer sees it. */
export function tracePanel(report: TraceReport): Markup {
  const { type, message, hint, docs, causes, heading, steps } = report
  return html`<section class="trace" aria-labelledby="trace">
<p class="aside">Development only. Visitors see the message above.</p>
<h2 id="trace">${type}</h2>
${message && html`<p>${prose(message)}</p>\n`}\
${hint && !message.includes(hint) && html`<p class="fix">${prose(hint)}</p>\n`}\
${causes.length > 0 && html`<ul class="causes">\n${causes.map(causeItem)}</ul>\n`}\
${steps.length > 0 && html`<h3>${heading}</h3>\n<ol>\n${steps.map(stepItem)}</ol>\n`}\
${docs && html`<p class="aside">More in <code>${docs}</code></p>\n`}</section>
`
}

/** Names stand between backticks, as in the log. */
function prose(text: string): Markup {
  const parts = text.split("`")
  // One without its partner is only a character.
  if (parts.length % 2 === 0) return html`${text}`
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

function causeItem(cause: string): Markup {
  return html`<li>${prose(cause)}</li>\n`
}

function stepItem({ name, expected, came, hint, fits }: TraceStep): Markup {
  const standing = fits === undefined ? "seen" : fits ? "good" : "bad"
  return html`<li class="${standing}">
<p>${fits !== undefined && html`<span class="hidden">${fits ? "Good:" : "Not as expected:"} </span>`}\
<strong>${prose(name)}</strong></p>
<dl>
${expected !== undefined && fits !== true && html`<dt>expected</dt>\n<dd>${prose(expected)}</dd>\n`}\
${came !== undefined && html`<dt>came</dt>\n<dd class="came">${prose(came)}</dd>\n`}\
${hint !== undefined && html`<dt>to mend</dt>\n<dd>${prose(hint)}</dd>\n`}</dl>
</li>
`
}
