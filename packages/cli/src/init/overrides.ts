/** Which versions replace those that packages ask for, where the package manager looks for them. */

export type Overrides = Readonly<Record<string, string>>

interface PlacedOverrides {
  /** Members of `package.json`. */
  readonly members: Readonly<Record<string, Overrides>>
  /** Other files. */
  readonly fileTexts: ReadonlyMap<string, string>
}

export function placeOverrides(overrides: Overrides, packageManager: string): PlacedOverrides {
  const fileTexts = new Map<string, string>()
  if (packageManager === "yarn") return { members: { resolutions: overrides }, fileTexts }
  if (packageManager !== "pnpm") return { members: { overrides }, fileTexts }
  // Since version 11, pnpm reads nothing of `package.json`.
  const quote = (text: string) => JSON.stringify(text)
  const lines = Object.entries(overrides).map(
    ([name, range]) => `  ${quote(name)}: ${quote(range)}\n`,
  )
  // Else `pnpm install` fails because it runs no scripts of packages, such as esbuild, which do without them.
  const text = `strictDepBuilds: false\noverrides:\n${lines.join("")}`
  if (lines.length > 0) fileTexts.set("pnpm-workspace.yaml", text)
  return { members: {}, fileTexts }
}
