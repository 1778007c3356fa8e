/** Renders what the provider tests found for the documentation. */
import { readFileSync } from "node:fs"
import {
  type ExplainedDifference,
  outdatedObjects,
  tolerantObjects,
} from "./provider-differences.ts"
import type { AuthjsEntry } from "./simulated-providers.ts"

export function renderDifferences(differences: readonly ExplainedDifference[]): string {
  const rows = differences.map(
    ({ provider, aspect, authjs, latchkey, why }) =>
      `| \`${provider}\` | ${aspect} | ${formatCode(authjs)} | ${formatCode(latchkey)} | ${why} |`,
  )
  const head = ["| Provider | What | Only Auth.js | Only Latchkey | Why |", "|---|---|---|---|---|"]
  return [...head, ...rows].join("\n")
}

const formatCode = (text: string) => (text ? `\`${text}\`` : "–")

const { version } = JSON.parse(
  readFileSync(new URL("../../node_modules/@auth/core/package.json", import.meta.url), "utf8"),
)

/** Says how many objects were compared, and how they differ. */
export function renderObjectDifferences(
  entries: readonly AuthjsEntry[],
  differences: readonly ExplainedDifference[],
): string {
  const different = new Set(differences.map(({ provider }) => provider))
  const text = `The tests sign in with each of the ${entries.length} OAuth and OpenID Connect objects of \`@auth/core\` ${version}, in Auth.js and in Latchkey. The requests and the users are the same, apart from these ${different.size}:`
  const list = (modules: readonly string[]) => modules.map((name) => `\`${name}\``).join(", ")
  const note = `If the provider behaves as it documents today, the objects ${list(outdatedObjects)} fail in both libraries, and ${list(tolerantObjects)} in Auth.js only. The tests use what these objects expect. Use ours instead.`
  return [wrapLine(text), renderDifferences(differences), wrapLine(note)].join("\n\n")
}

/** Lists the modules of Auth.js whose providers are not in our catalogue. */
export function renderOtherProviders(entries: readonly AuthjsEntry[]): string {
  const modules = entries.filter(({ ours }) => !ours).map(({ module }) => `\`${module}\``)
  return wrapLine(`${modules.join(", ")}.`)
}

/** Breaks a text into lines of at most 120 characters. */
function wrapLine(text: string): string {
  return text.replace(/(.{1,120})(?: |$)/g, "$1\n").trim()
}
