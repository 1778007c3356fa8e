/** The scripts in components of Svelte, Vue and Astro. */

interface Script {
  /** The position of its text in the component. */
  readonly start: number
  readonly text: string
}

const scriptPattern = /(<script\b(?:"[^"]*"|'[^']*'|[^>"'])*>)([\s\S]*?)<\/script\s*>/gi
/** The part of an Astro component that runs on the server. */
const frontmatterPattern = /^(\s*---\r?\n)([\s\S]*?)^---\s*$/m

/** Whether a file has scripts inside of markup. */
export function isComponent(path: string): boolean {
  return /\.(?:astro|svelte|vue)$/.test(path)
}

export function findScripts(path: string, component: string): Script[] {
  const frontmatter = path.endsWith(".astro") ? frontmatterPattern.exec(component) : null
  return [...(frontmatter ? [frontmatter] : []), ...component.matchAll(scriptPattern)].map(
    ({ index, 1: tag = "", 2: text = "" }) => ({ start: index + tag.length, text }),
  )
}
