/** What a developer is told below the card: the error, what to change, and what was looked at on the way. */
import type { ErrorReport, ErrorReportStep } from "../http/error-report.ts"
import { html, type Markup } from "./html.ts"

/** The panel of a failure. Nothing in it is secret, and nobody but the developer sees it. */
export function renderErrorReport(report: ErrorReport): Markup {
  const { type, message, hint, docs, causes, heading, steps } = report
  return html`<section class="trace" aria-labelledby="trace">
<p class="aside">Development only. Visitors see the message above.</p>
<h2 id="trace">${type}</h2>
${message && html`<p>${renderText(message)}</p>\n`}\
${hint && !message.includes(hint) && html`<p class="fix">${renderText(hint)}</p>\n`}\
${causes.length > 0 && html`<ul class="causes">\n${causes.map(renderCause)}</ul>\n`}\
${steps.length > 0 && html`<h3>${heading}</h3>\n<ol>\n${steps.map(renderStep)}</ol>\n`}\
${docs && html`<p class="aside">More in <code>${docs}</code></p>\n`}</section>
`
}

/** Names stand between backticks, as in the log. */
function renderText(text: string): Markup {
  const parts = text.split("`")
  // One without its partner is only a character.
  if (parts.length % 2 === 0) return html`${text}`
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

function renderCause(cause: string): Markup {
  return html`<li>${renderText(cause)}</li>\n`
}

function renderStep({ name, expected, received, hint, isAsExpected }: ErrorReportStep): Markup {
  const stepClass = isAsExpected === undefined ? "seen" : isAsExpected ? "good" : "bad"
  return html`<li class="${stepClass}">
<p>${isAsExpected !== undefined && html`<span class="hidden">${isAsExpected ? "Good:" : "Not as expected:"} </span>`}\
<strong>${renderText(name)}</strong></p>
<dl>
${expected !== undefined && isAsExpected !== true && html`<dt>expected</dt>\n<dd>${renderText(expected)}</dd>\n`}\
${received !== undefined && html`<dt>came</dt>\n<dd class="came">${renderText(received)}</dd>\n`}\
${hint !== undefined && html`<dt>to mend</dt>\n<dd>${renderText(hint)}</dd>\n`}</dl>
</li>
`
}
