/** Options that nobody reads: most often a misspelling. */
import type { AuthConfig } from "./auth-config.ts"
import type { ConfigWarning } from "./option-check.ts"
import { frameworkOptionNames, optionNames } from "./option-names.ts"

/** Most options that are named: a configuration of another library has many. */
const maxWarnings = 20

export function findUnknownOptions(authConfig: Partial<AuthConfig>): ConfigWarning[] {
  const options = Object.entries(optionNames).flatMap(([group, names]) => {
    const holder: unknown = group === "" ? authConfig : authConfig[group as keyof AuthConfig]
    if (typeof holder !== "object" || holder === null || Array.isArray(holder)) return []
    const unknownNames = Object.keys(holder).filter((name) => !names.includes(name))
    return unknownNames.map((name) => createWarning(group, name))
  })
  return options.filter(({ option }) => !frameworkOptionNames.has(option)).slice(0, maxWarnings)
}

function createWarning(group: string, name: string): ConfigWarning {
  const option = optionPath(group, name)
  const suggestion = findNearestOption(group, name)
  return {
    type: "UnknownOption",
    option,
    expected: group === "" ? "options of the library" : `options of \`${group}\``,
    received: `\`${option}\`, which nobody reads`,
    hint: suggestion === undefined ? `Remove \`${option}\`.` : `Did you mean \`${suggestion}\`?`,
  }
}

function optionPath(group: string, name: string): string {
  return group === "" ? name : `${group}.${name}`
}

/** The option that was most likely meant: of the same group first, then of the others. */
function findNearestOption(group: string, name: string): string | undefined {
  const others = Object.keys(optionNames).filter((other) => other !== group)
  for (const candidateGroup of [group, ...others]) {
    const maxDistance = candidateGroup === group ? maxEdits(name) : 0
    const match = optionNames[candidateGroup]?.find(
      (known) => editDistance(name, known) <= maxDistance,
    )
    if (match !== undefined) return optionPath(candidateGroup, match)
  }
  return undefined
}

/** In a short word, two letters make another word. */
function maxEdits(name: string): number {
  return name.length < 6 ? 1 : 2
}

/** Letters to add, leave out or change; capitals and separators do not count. */
function editDistance(a: string, b: string): number {
  const [from, to] = [normalizeName(a), normalizeName(b)]
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function normalizeName(name: string): string {
  return name.slice(0, 40).replace(/[-_]/g, "").toLowerCase()
}
