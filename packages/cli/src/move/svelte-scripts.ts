/** The `<script>` blocks of a Svelte component. */

interface Script {
  /** The position of its text in the component. */
  readonly start: number
  readonly text: string
}

const scriptPattern = /(<script\b(?:"[^"]*"|'[^']*'|[^>"'])*>)([\s\S]*?)<\/script\s*>/gi

export function findScripts(component: string): Script[] {
  return [...component.matchAll(scriptPattern)].map(({ index, 1: tag = "", 2: text = "" }) => ({
    start: index + tag.length,
    text,
  }))
}
