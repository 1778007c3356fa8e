/** The pages of the site: which Markdown files of the repository they come from, and where they are. */
import { globSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"

/** The root of the repository. */
export const repository: string = join(import.meta.dirname, "../..")

/** The Markdown files that become pages, relative to the root of the repository. */
const sources = ["docs/**/*.md", "packages/*/README.md", "examples/README.md", "site/*.md"]

/** Pages whose path on the site does not follow from the path of their file. */
const otherRoutes: Readonly<Record<string, string>> = {
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "README.md": "index.md",
  "SECURITY.md": "security-policy.md",
}

/** A page of the site. */
export interface Page {
  /** Its Markdown file, relative to the root of the repository. */
  readonly file: string
  /** Its path on the site, with the ending `.md` and without a leading slash. */
  readonly route: string
}

/** All pages. */
export const pages: readonly Page[] = [
  ...globSync(sources, { cwd: repository }),
  ...Object.keys(otherRoutes),
]
  .sort()
  .map((file) => ({ file, route: toRoute(file) }))

/** Returns the path on the site of a Markdown file. */
export function toRoute(file: string): string {
  return (
    otherRoutes[file] ??
    file
      .replace(/^(?:docs|site)\//, "")
      .replace(/^packages\/([^/]+)\/README\.md$/, "packages/$1.md")
      .replace(/^examples\/README\.md$/, "examples.md")
  )
}

/** Finds the page of a file or a folder of the repository. */
export function findPage(path: string): Page | undefined {
  const files = [path, posix.join(path, "README.md")]
  return pages.find(({ file }) => files.includes(file))
}

/** Reads the Markdown of a page, without its front matter. */
export function readPage({ file }: Page): string {
  return readFileSync(join(repository, file), "utf8").replace(/^---\n.*?\n---\n+/s, "")
}

/** Returns the first heading of a page. */
export function readTitle(page: Page): string {
  const [, title = page.route] = /^# (.+)$/m.exec(readPage(page)) ?? []
  return removeLinks(title).replaceAll("`", "")
}

/**
 * Returns the first paragraph of a page without its links: it says what the page is for. The paragraph is empty if the
 * page begins with something else.
 */
export function readSummary(page: Page): string {
  const [, paragraph = ""] =
    /^# [^\n]+\n+(?:!\[[^\n]*\n+)?((?![-#|\n]|```).+?)(?:\n\n|\n*$)/s.exec(readPage(page)) ?? []
  // A sentence that introduces the following example is left out.
  return removeLinks(paragraph)
    .replace(/(?<=\.) [^.]*:$/, "")
    .replace(/:$/, ".")
}

function removeLinks(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim()
}
