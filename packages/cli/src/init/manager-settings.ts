/** Settings of the package manager: versions that replace those that packages ask for, and how it installs. */

export type Overrides = Readonly<Record<string, string>>

interface ManagerSettings {
  /** Members of `package.json`. */
  readonly members: Readonly<Record<string, Overrides>>
  /** Other files. */
  readonly fileTexts: ReadonlyMap<string, string>
}

/** Whether an application is new, and whether it is in a workspace, whose root has the settings. */
interface Place {
  readonly isNew: boolean
  readonly isInWorkspace: boolean
}

/** Returns the settings of an application, with those that the framework of a new one needs. */
export function createManagerSettings(
  packageManager: string,
  overrides: Overrides,
  { isNew, isInWorkspace }: Place,
): ManagerSettings {
  const fileTexts = new Map<string, string>()
  if (packageManager === "yarn") {
    // Next.js, SvelteKit and SolidStart do not build with Plug'n'Play.
    if (isNew && !isInWorkspace) fileTexts.set(".yarnrc.yml", "nodeLinker: node-modules\n")
    return { members: { resolutions: overrides }, fileTexts }
  }
  if (packageManager !== "pnpm") return { members: { overrides }, fileTexts }
  // With this file, the application would become a workspace of its own.
  if (isInWorkspace) return { members: {}, fileTexts }
  // Since version 11, pnpm reads no settings from `package.json`.
  const quote = (text: string) => JSON.stringify(text)
  const lines = Object.entries(overrides).map(
    ([name, range]) => `  ${quote(name)}: ${quote(range)}\n`,
  )
  const overrideText = lines.length > 0 ? `overrides:\n${lines.join("")}` : ""
  // Else `pnpm install` fails because it runs no scripts of packages, such as esbuild, which do without them.
  if (isNew || lines.length > 0)
    fileTexts.set("pnpm-workspace.yaml", `strictDepBuilds: false\n${overrideText}`)
  return { members: {}, fileTexts }
}
