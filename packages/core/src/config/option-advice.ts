/** Options that nobody reads: most often a misspelling. */
import type { AuthConfig } from "./auth-config.ts"
import { foreignNames, optionNames } from "./option-names.ts"
import type { Advice } from "./rule.ts"

/** Most options that are named: a configuration of another library has many. */
const mostNamed = 20

export function unknownOptions(written: Partial<AuthConfig>): Advice[] {
  const options = Object.entries(optionNames).flatMap(([group, names]) => {
    const holder: unknown = group === "" ? written : written[group as keyof AuthConfig]
    if (typeof holder !== "object" || holder === null || Array.isArray(holder)) return []
    const unknown = Object.keys(holder).filter((name) => !names.includes(name))
    return unknown.map((name) => advice(group, name))
  })
  return options.filter(({ option }) => !foreignNames.has(option)).slice(0, mostNamed)
}

function advice(group: string, name: string): Advice {
  const option = pathOf(group, name)
  const near = nearest(group, name)
  return {
    type: "UnknownOption",
    option,
    expected: group === "" ? "options of the library" : `options of \`${group}\``,
    came: `\`${option}\`, which nobody reads`,
    hint: near === undefined ? `Remove \`${option}\`.` : `Did you mean \`${near}\`?`,
  }
}

function pathOf(group: string, name: string): string {
  return group === "" ? name : `${group}.${name}`
}

/** The option that was most likely meant: of the same group first, then of the others. */
function nearest(group: string, name: string): string | undefined {
  const others = Object.keys(optionNames).filter((other) => other !== group)
  for (const place of [group, ...others]) {
    const within = place === group ? mostEdits(name) : 0
    const found = optionNames[place]?.find((known) => distance(name, known) <= within)
    if (found !== undefined) return pathOf(place, found)
  }
  return undefined
}

/** In a short word, two letters make another word. */
function mostEdits(name: string): number {
  return name.length < 6 ? 1 : 2
}

/** Letters to add, leave out or change; capitals and separators do not count. */
function distance(a: string, b: string): number {
  const [from, to] = [plain(a), plain(b)]
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

function plain(name: string): string {
  return name.slice(0, 40).replace(/[-_]/g, "").toLowerCase()
}
