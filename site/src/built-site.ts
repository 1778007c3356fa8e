/** Checks the links of the built site, its policies, and that it loads nothing from other hosts. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { checkContentSecurityPolicy } from "./content-security-policy.ts"

/** The result of the check. */
export interface SiteReport {
  readonly pages: number
  readonly links: number
  readonly problems: readonly string[]
}

interface BuiltPage {
  readonly path: string
  readonly ids: ReadonlySet<string>
  /** The targets of its links. */
  readonly links: readonly string[]
  /** The URLs of its scripts, style sheets, fonts and images. */
  readonly resources: readonly string[]
}

/** Elements whose URL browsers load with the page. `a` and `link rel=alternate` are links. */
const tagPattern = /<(?<name>[a-z][a-z\d-]*)(?<attributes>(?:\s+[\w:@-]+(?:="[^"]*")?)+)\s*\/?>/g

/** Checks a folder. */
export function checkSite(folder: string): SiteReport {
  const files = globSync("**/*", { cwd: folder })
  const built = files
    .filter((file) => file.endsWith(".html"))
    .map((file) => readBuiltPage(folder, file))
  const texts = files.filter((file) => /^llms.*\.txt$|\.md$/.test(file))
  const targets = createTargets(built, files)
  const linkProblems = [...built, ...texts.map((file) => readText(folder, file))].flatMap(
    ({ path, links }) =>
      links
        .filter((link) => !isFound(link, path, targets))
        .map((link) => `${path}: ${link} leads nowhere`),
  )
  const policyProblems = files
    .filter((file) => file.endsWith(".html"))
    .flatMap((file) =>
      checkContentSecurityPolicy(readFileSync(join(folder, file), "utf8")).map(
        (problem) => `/${file}: ${problem}`,
      ),
    )
  const styles = files
    .filter((file) => file.endsWith(".css"))
    .map((file) => readStyles(folder, file))
  const resourceProblems = [...built, ...styles].flatMap(({ path, resources }) =>
    resources
      .filter((url) => !isOwnFile(url, files))
      .map((url) => `${path}: loads ${url}, which is no file of the site`),
  )
  return {
    pages: built.length,
    links: built.reduce((sum, { links }) => sum + links.length, 0),
    problems: [...linkProblems, ...resourceProblems, ...policyProblems],
  }
}

function readBuiltPage(folder: string, file: string): BuiltPage {
  const html = readFileSync(join(folder, file), "utf8")
  const tags = [...html.matchAll(tagPattern)].map(({ groups }) => ({
    name: groups?.["name"],
    attributes: parseAttributes(groups?.["attributes"] ?? ""),
  }))
  const isLink = (name: string | undefined, { rel }: Record<string, string>) =>
    name === "a" || (name === "link" && rel === "alternate")
  return {
    path: `/${file.replace(/(?:index)?\.html$/, "")}`,
    ids: new Set(tags.flatMap(({ attributes: { id } }) => id ?? [])),
    links: tags.flatMap(({ name, attributes }) =>
      isLink(name, attributes) ? (attributes["href"] ?? []) : [],
    ),
    resources: tags.flatMap(({ name, attributes }) => {
      if (isLink(name, attributes)) return []
      return [
        attributes["src"],
        attributes["srcset"],
        name === "link" ? attributes["href"] : undefined,
      ].flatMap((url) => url ?? [])
    }),
  }
}

function parseAttributes(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w:@-]+)(?:="([^"]*)")?/g)
  return Object.fromEntries(
    [...pairs].map(([, name, value = ""]) => [name, value.replaceAll("&amp;", "&")]),
  )
}

function readText(folder: string, file: string): Pick<BuiltPage, "path" | "links"> {
  const text = readFileSync(join(folder, file), "utf8").replaceAll(
    /^ *```.*?^ *```$|`[^`]*`/gms,
    "",
  )
  const links = [...text.matchAll(/\]\((\/[^()\s]*)\)/g)].map(([, link = ""]) => link)
  return { path: `/${file}`, links }
}

function readStyles(folder: string, file: string): Pick<BuiltPage, "path" | "resources"> {
  const css = readFileSync(join(folder, file), "utf8")
  const urls = css.matchAll(/(?:url\(|@import )["']?([^"')]+)/g)
  return { path: `/${file}`, resources: [...urls].map(([, url = ""]) => url) }
}

/** Returns the anchors of each path of the site. */
function createTargets(
  built: readonly BuiltPage[],
  files: readonly string[],
): Map<string, ReadonlySet<string>> {
  const targets = new Map<string, ReadonlySet<string>>(files.map((file) => [`/${file}`, new Set()]))
  for (const { path, ids } of built) {
    targets.set(path, ids)
    // The Markdown of a page has the anchors of the page.
    const markdown = `${path === "/" ? "/index" : path}.md`
    if (targets.has(markdown)) targets.set(markdown, ids)
  }
  return targets
}

function isFound(
  link: string,
  path: string,
  targets: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const { origin, pathname, hash } = new URL(link, `https://site.invalid${path}`)
  if (origin !== "https://site.invalid") return true
  const ids = targets.get(decodeURI(pathname))
  return ids !== undefined && (hash === "" || ids.has(decodeURIComponent(hash.slice(1))))
}

function isOwnFile(url: string, files: readonly string[]): boolean {
  return (
    url.startsWith("data:") ||
    (url.startsWith("/") && files.includes(url.slice(1).replace(/[?#].*/, "")))
  )
}
