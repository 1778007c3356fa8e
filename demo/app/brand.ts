/** The name and the images of the product. */
import { html, Markup } from "../shared/html.ts"

export const productName = "Loam"

/** The colour of main buttons, including those of Latchkey's pages. */
export const brandColor = "#2c6847"

const sproutPaths = `<path d="M16 21.5V13" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>
<path d="M16 16.2C16 10.6 11.8 8 6 7.8 6 13.4 10.2 16.2 16 16.2z" fill="currentColor"/>
<path d="M16 13.2C16 8 19.8 4.8 26 4.4c.3 5.8-3.8 8.8-10 8.8z" fill="currentColor" opacity=".72"/>
<path d="M4.5 23.5c3.8-1.7 7.7-1.7 11.5 0s7.7 1.7 11.5 0" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>
<path d="M9 28.3c2.3-1 4.7-1 7 0s4.7 1 7 0" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" opacity=".55"/>`

const letterPaths = `<g fill="none" stroke="currentColor" stroke-width="2.7" stroke-linecap="round" stroke-linejoin="round">
<path d="M41.5 7.5V25h9"/><circle cx="60.5" cy="19" r="6"/><circle cx="78.5" cy="19" r="6"/><path d="M84.5 13v12"/>
<path d="M91.5 25V13m0 5.7a4.9 4.9 0 0 1 9.8 0V25m0-6.3a4.9 4.9 0 0 1 9.8 0V25"/></g>`

/** The logo with the name, in the colour of the surrounding text. */
export const wordmark: Markup = html`<svg class="wordmark" viewBox="0 0 114 32" width="114" height="32" role="img" aria-label="${productName}">${new Markup(
  `<g class="sprout">${sproutPaths}</g>${letterPaths}`,
)}</svg>`

/** The logo with the name, as an image that adapts to the colour scheme. */
export const logo: string = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 114 32" width="142" height="40">
<style>:root{color:#1b211d}.sprout{color:${brandColor}}@media (prefers-color-scheme:dark){:root{color:#eaeeeb}.sprout{color:#7cc79a}}</style>
<g class="sprout">${sproutPaths}</g>${letterPaths}
</svg>
`

export const favicon: string = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">
<style>:root{color:${brandColor}}@media (prefers-color-scheme:dark){:root{color:#7cc79a}}</style>
${sproutPaths}
</svg>
`
