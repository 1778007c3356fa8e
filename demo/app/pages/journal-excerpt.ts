/** An excerpt of a journal. */
import { html, type Markup } from "../../shared/html.ts"

export interface ExcerptLine {
  readonly date: string
  readonly text: string
}

export function journalExcerpt(caption: string, lines: readonly ExcerptLine[]): Markup {
  return html`<figure class="leaf">
<figcaption>${caption}</figcaption>
<ul>
${lines.map(({ date, text }) => html`<li class="entry"><span class="when">${date}</span> ${text}</li>\n`)}</ul>
<svg viewBox="0 0 400 72" preserveAspectRatio="none" aria-hidden="true">
<path class="soil1" d="M0 22c66-18 134-18 200 0s134 18 200 0v50H0z"/>
<path class="soil2" d="M0 40c66-14 134-14 200 0s134 14 200 0v32H0z"/>
<path class="soil3" d="M0 56c66-9 134-9 200 0s134 9 200 0v16H0z"/>
</svg>
</figure>`
}
