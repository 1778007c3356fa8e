/** Renders the report below the card, for the developer: the error, how to fix it, and the steps that led to it. */

import { html, type Markup } from "../html.ts"
import type { ErrorReport, ErrorReportStep } from "./error-report.ts"

export function renderErrorReport(report: ErrorReport): Markup {
  const { type, message, hint, docs, causes, heading, steps } = report
  return html`<section class="error-report" lang="en" dir="ltr" aria-labelledby="error-report">
<p class="aside">Development only. Visitors see the message above.</p>
<h2 id="error-report">${type}</h2>
${message && html`<p>${renderText(message)}</p>\n`}\
${hint && !message.includes(hint) && html`<p class="fix">${renderText(hint)}</p>\n`}\
${causes.length > 0 && html`<ul>\n${causes.map((cause) => html`<li>${renderText(cause)}</li>\n`)}</ul>\n`}\
${steps.length > 0 && html`<h3>${heading}</h3>\n<ol>\n${steps.map(renderStep)}</ol>\n`}\
${docs && html`<p class="aside">More: <code>${docs}</code></p>\n`}</section>
`
}

/** Renders names between backticks as code. */
function renderText(text: string): Markup {
  const parts = text.split("`")
  if (parts.length % 2 === 0) return html`${text}` // a backtick without its partner
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

function renderStep({ name, expected, received, hint, isAsExpected }: ErrorReportStep): Markup {
  const stepClass = isAsExpected === undefined ? "info" : isAsExpected ? "ok" : "failed"
  return html`<li class="${stepClass}">
<p>${isAsExpected !== undefined && html`<span class="hidden">${isAsExpected ? "As expected:" : "Not as expected:"} </span>`}\
<strong>${renderText(name)}</strong></p>
<dl>
${expected !== undefined && isAsExpected !== true && html`<dt>expected</dt>\n<dd>${renderText(expected)}</dd>\n`}\
${received !== undefined && html`<dt>received</dt>\n<dd class="received">${renderText(received)}</dd>\n`}\
${hint !== undefined && html`<dt>fix</dt>\n<dd>${renderText(hint)}</dd>\n`}</dl>
</li>
`
}
