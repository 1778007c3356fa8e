/** How the site renders Markdown: links within the repository, and code blocks with the name of their file. */
import { relative } from "node:path"
import { slug } from "github-slugger"
import type { MarkdownOptions, MarkdownRenderer } from "vitepress"
import { createListPage } from "./assistants.ts"
import { parseCodeBlockInfo } from "./code-blocks.ts"
import { createHomePage } from "./home.ts"
import { resolveLink } from "./links.ts"
import { repository } from "./pages.ts"

/** The options of VitePress for Markdown. */
export const markdown: MarkdownOptions = {
  // GitHub and the site have the same anchors.
  anchor: { slugify: slug },
  // Braces in our texts are code, not attributes.
  attrs: { disable: true },
  // Their colours are legible on the background of our code blocks.
  theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  languageAlias: { env: "dotenv" },
  config(renderer) {
    generatePages(renderer)
    resolveLinks(renderer)
    addCodeTitles(renderer)
  },
}

/** Creates the Markdown of pages that are not shown as they are in the repository. */
const pageGenerators: Readonly<Record<string, (source: string) => string>> = {
  "README.md": createHomePage,
  "site/all-pages.md": createListPage,
}

/** The page that VitePress renders: with a path on the site, also the path of the file. */
interface PageEnvironment {
  readonly path?: string
  readonly realPath?: string
}

function generatePages(renderer: MarkdownRenderer): void {
  renderer.core.ruler.before("normalize", "generated-pages", (state) => {
    const generate = pageGenerators[readFileName(state.env) ?? ""]
    if (generate && !state.inlineMode) state.src = generate(state.src)
  })
}

/** Replaces the targets of links before VitePress looks at them. Links that lead nowhere become their text. */
function resolveLinks(renderer: MarkdownRenderer): void {
  renderer.core.ruler.push("repository-links", ({ tokens, env }) => {
    const file = readFileName(env)
    if (file === undefined) return
    for (const { children } of tokens) {
      let isDropped = false
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const target = resolveLink(file, String(token.attrGet("href")))
          isDropped = target === undefined
          token.attrSet("href", target ?? "")
        }
        if (!isDropped || !/^link_(?:open|close)$/.test(token.type)) continue
        if (token.type === "link_close") isDropped = false
        Object.assign(token, { type: "text", tag: "", nesting: 0, attrs: null, content: "" })
      }
    }
  })
}

function addCodeTitles(renderer: MarkdownRenderer): void {
  const renderFence = renderer.renderer.rules.fence
  if (!renderFence)
    throw new TypeError("VitePress no longer renders code blocks by a rule `fence`.")
  renderer.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]
    const { language, title } = parseCodeBlockInfo(token?.info ?? "")
    if (token) token.info = language
    const html = renderFence(tokens, index, ...rest)
    if (!title) return html
    const caption = renderer.utils.escapeHtml(title)
    return `<figure class="code-block"><figcaption v-pre>${caption}</figcaption>${html}</figure>`
  }
}

/** Returns the file of a page in the repository; undefined for a heading that is rendered alone, for a title. */
function readFileName({ path, realPath = path }: PageEnvironment): string | undefined {
  return realPath === undefined ? undefined : relative(repository, realPath)
}
