/** The page for addresses that lead nowhere. */

/** The text of the page. */
export const notFoundText = `<h1>There is no such page</h1>
<p>The page was moved, or its address has a mistake. Search for it, or try:</p>
<ul>
<li><a href="/getting-started">Getting started</a></li>
<li><a href="/errors">Errors and warnings</a></li>
<li><a href="/all-pages">All pages</a></li>
</ul>`

/** Adds the text for browsers without JavaScript: VitePress writes an empty page. */
export function addNotFoundText(page: string): string {
  const text = `<noscript><main class="not-found vp-doc">${notFoundText}</main></noscript>`
  return page.replace('<div id="app">', `${text}$&`)
}
