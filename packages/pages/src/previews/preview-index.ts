/** A page that shows many pages side by side. */
import { html, Markup } from "../html.ts"

export interface PreviewIndex {
  readonly title: string
  /** Links to the same pages in another language, colour scheme or theme. */
  readonly choices: readonly PreviewChoice[]
  readonly pages: readonly { readonly title: string; readonly url: string }[]
}

export interface PreviewChoice {
  readonly label: string
  readonly options: readonly {
    readonly label: string
    readonly url: string
    readonly isCurrent: boolean
  }[]
}

const styles = `:root{color-scheme:light dark}
body{margin:2rem;font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.5rem}
a{display:inline-block;padding:.625rem .25rem}
[aria-current]{font-weight:600}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1.5rem;padding:0;list-style:none}
iframe{display:block;width:100%;height:44rem;border:1px solid #8888;border-radius:.5rem}`

/** Renders the index. */
export function renderPreviewIndex({ title, choices, pages }: PreviewIndex): string {
  const navigation = choices.map(
    ({ label, options }) => html`<p>${label}:${options.map(renderOption)}</p>\n`,
  )
  const items = pages.map(
    (page) => html`<li><a href="${page.url}">${page.title}</a>
<iframe src="${page.url}" title="${page.title}" loading="lazy"></iframe></li>
`,
  )
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(styles)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<nav>
${navigation}</nav>
<ul>
${items}</ul>
</main>
</body>
</html>
`.text
}

function renderOption({ label, url, isCurrent }: PreviewChoice["options"][number]): Markup {
  const current = isCurrent && new Markup(' aria-current="page"')
  return html` <a href="${url}"${current}>${label}</a>`
}
