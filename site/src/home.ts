/** The start page: the beginning of the README, with links to the first pages. */

const actions = `<div class="actions">

[Get started](docs/getting-started.md)
[Move from Auth.js](docs/migrating.md)
[Look at an example](examples/README.md)

</div>`

/** Makes sentences of the texts behind the figures, which are headings on the start page. */
function createFigures(why: string): string {
  return why.replaceAll(/^(- \*\*.+?\*\*):? (\w)/gm, (_, figure: string, letter: string) => {
    return `${figure} ${letter.toUpperCase()}`
  })
}

/**
 * Creates the start page from the README: what the library is, the section "Why", and the section with the first
 * example.
 *
 * @throws TypeError if the README lacks one of them
 */
export function createHomePage(readme: string): string {
  const [introduction = "", ...sections] = readme.split(/^(?=## )/m)
  const [, title, summary] =
    /^(# [^\n]+)\n+(?:!\[[^\n]*\n+)?(.+?)\n\n/s.exec(`${introduction}\n`) ?? []
  const why = sections.find((section) => section.startsWith("## Why"))
  const example = sections.find((section) => section.includes("```ts "))
  if (!title || !summary || !why || !example)
    throw new TypeError(
      "Expected README.md to begin with a title and a paragraph, and to have a section `Why` and an example that begins with ```ts and the name of a file.",
    )
  return [
    `<div class="introduction">\n\n${title}\n\n${summary}\n\n${actions}\n\n</div>`,
    `<div class="figures">\n\n${createFigures(why)}\n\n</div>`,
    `<div class="example">\n\n${example}\n\n</div>`,
  ].join("\n\n")
}
