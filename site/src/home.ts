/** The start page: the beginning of the README, with links to the first pages. */

const actions = `<div class="actions">

[Get started](docs/getting-started.md)
[Move from Auth.js](docs/migrating.md)
[Look at an example](examples/README.md)

</div>`

/**
 * Creates the start page from the README: what the library is, the section "Why", and the section with the first
 * example.
 *
 * @throws TypeError if the README has no example
 */
export function createHomePage(readme: string): string {
  const [introduction = "", ...sections] = readme.split(/^(?=## )/m)
  const [, title, summary] =
    /^(# [^\n]+)\n+(?:!\[[^\n]*\n+)?(.+?)\n\n/s.exec(`${introduction}\n`) ?? []
  const why = sections.find((section) => section.startsWith("## Why"))
  const example = sections.find((section) => section.includes("```ts "))
  if (!title || !summary || !example)
    throw new TypeError(
      "README.md must begin with a title and a paragraph, and one of its sections must have an example that begins with ```ts and a file name.",
    )
  return [
    `<div class="introduction">\n\n${title}\n\n${summary}\n\n${actions}\n\n</div>`,
    ...(why ? [`<div class="figures">\n\n${why}\n\n</div>`] : []),
    `<div class="example">\n\n${example}\n\n</div>`,
  ].join("\n\n")
}
