/** A page torn out of a journal. */
import { html, type Markup } from "../../shared/html.ts"

/** What somebody wrote, and when. */
export interface Line {
  readonly when: string
  readonly text: string
}

/** Shows some lines of a journal. */
export function leaf(caption: string, lines: readonly Line[]): Markup {
  return html`<figure class="leaf">
<figcaption>${caption}</figcaption>
<ul>
${lines.map(({ when, text }) => html`<li class="entry"><span class="when">${when}</span> ${text}</li>\n`)}</ul>
<svg viewBox="0 0 400 72" preserveAspectRatio="none" aria-hidden="true">
<path class="soil1" d="M0 22c66-18 134-18 200 0s134 18 200 0v50H0z"/>
<path class="soil2" d="M0 40c66-14 134-14 200 0s134 14 200 0v32H0z"/>
<path class="soil3" d="M0 56c66-9 134-9 200 0s134 9 200 0v16H0z"/>
</svg>
</figure>`
}
