/** Files for assistants: each page as Markdown, and `llms.txt` (https://llmstxt.org), which lists them. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { rewriteLinks } from "./links.ts"
import { createNavigation, type NavigationItem } from "./navigation.ts"
import { findPage, type Page, pages, readPage, readSummary } from "./pages.ts"

/** Writes the files into the folder of the built site. */
export function writeAssistantFiles(folder: string): void {
  for (const [path, text] of Object.entries(createAssistantFiles())) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Creates the texts of the files, by their path on the site. */
export function createAssistantFiles(): Record<string, string> {
  const markdown = pages.map((page) => [page.route, rewriteLinks(createMarkdown(page), page.file)])
  const fullText = markdown.filter(([route]) => route !== "all-pages.md")
  return {
    ...Object.fromEntries(markdown),
    "llms.txt": createLlmsTxt(),
    "llms-full.txt": fullText.map(([route, text]) => `<!-- /${route} -->\n\n${text}`).join("\n\n"),
  }
}

function createMarkdown(page: Page): string {
  const source = readPage(page)
  return page.route === "all-pages.md" ? createListPage(source) : source
}

/** Adds the list of all pages to a page. */
export function createListPage(source: string): string {
  return `${source}\n${createPageList()}`
}

function createLlmsTxt(): string {
  const readme = findPage("README.md")
  return `# Latchkey\n\n> ${readme && readSummary(readme)}\n\n${createPageList()}`
}

function createPageList(): string {
  const groups = createNavigation().map(
    ({ text, items = [] }) => `## ${text}\n\n${items.flatMap(createLines).join("\n")}\n`,
  )
  return groups.join("\n")
}

function createLines({ text, page, items = [] }: NavigationItem): string[] {
  return [...(page ? [createLine(text, page)] : []), ...items.flatMap(createLines)]
}

function createLine(text: string, page: Page): string {
  const summary = shorten(readSummary(page))
  return `- [${text}](/${page.route})${summary && `: ${summary}`}`
}

/** Returns the first sentence of a text, and those after it that fit into a line. */
function shorten(text: string): string {
  const [first = "", ...sentences] = text.split(/(?<=[.:]) (?=[A-Z`@])/)
  return sentences.reduce(
    (line, each) => (line.length + each.length < 200 ? `${line} ${each}` : line),
    first,
  )
}
