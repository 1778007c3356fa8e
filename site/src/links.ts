/** Links between the Markdown files of the repository, as links of the site. */
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { findPage, repository } from "./pages.ts"

/** The public repository, if the manifest of the core names one. */
export const repositoryUrl: string | undefined = JSON.parse(
  readFileSync(join(repository, "packages/core/package.json"), "utf8"),
)
  .repository?.url.replace(/^git\+/, "")
  .replace(/\.git$/, "")

/**
 * Returns where a link of a Markdown file leads on the site.
 *
 * Links to files that are no pages lead to the public repository, once it is known.
 *
 * @param file the Markdown file, relative to the root of the repository
 * @param href the target, as it is in the file
 * @returns the path on the site, ending in `.md`, or an absolute URL; undefined if there is nothing to link to
 */
export function resolveLink(file: string, href: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(href)) return href
  const [path = "", anchor] = href.split("#", 2)
  const target = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, "")
  const page = findPage(target)
  if (page) return `/${page.route}${anchor === undefined ? "" : `#${anchor}`}`
  return repositoryUrl && `${repositoryUrl}/blob/main/${target}`
}

/** Rewrites the links in Markdown text. A link that leads nowhere becomes its text. */
export function rewriteLinks(markdown: string, file: string): string {
  // Code is matched first, so that what looks like a link in it stays as it is.
  const codeOrLink =
    /^ *```.*?^ *```$|(`+)(?!`).*?(?<!`)\1(?!`)|(?<!!)\[((?:[^[\]`]|`[^`]*`)*)\]\(([^()\s]*)\)/gms
  return markdown.replaceAll(codeOrLink, (match, _ticks, text, href) => {
    if (href === undefined) return match
    const target = resolveLink(file, href)
    return target === undefined ? text : `[${text}](${target})`
  })
}
