/** Formats what `latchkey init` prints. */
import { style } from "../terminal.ts"
import type { Framework } from "./framework.ts"
import type { Plan } from "./plan.ts"
import type { Project } from "./project.ts"

/** Lists the files, of which `+` is created and `~` changes, and the versions that the command cannot override. */
export function formatPlan(
  { files, addsSecret, rootOverrides }: Plan,
  { title }: Framework,
): string {
  const secret = { path: ".env", exists: false, note: "AUTH_SECRET, a new secret" }
  const lines = addsSecret ? [secret, ...files] : files
  const width = Math.max(...lines.map(({ path }) => path.length))
  const list = lines.map(({ path, exists, note = "" }) => {
    const sign = exists ? style("yellow", "~") : style("green", "+")
    const hasNote = exists || path === secret.path
    return hasNote ? `  ${sign} ${path.padEnd(width)}  ${style("dim", note)}` : `  ${sign} ${path}`
  })
  const versions = Object.entries(rootOverrides).map(([name, range]) => `  ${name}: ${range}`)
  const note =
    versions.length > 0 ? ["", "The root of the workspace has to override:", "", ...versions] : []
  return [style("bold", `Latchkey for ${title}:`), "", ...list, ...note].join("\n")
}

/** Describes the files that the command leaves alone; an empty text if there are none. */
export function formatConflicts({ conflicts }: Plan): string {
  return [...conflicts]
    .map(([path, text]) => {
      const lines = text.trimEnd().split("\n")
      const content = lines.map((line) => (line === "" ? "" : `    ${line}`)).join("\n")
      return `\n${path} exists, and is left as it is. Add this to it:\n\n${content}`
    })
    .join("\n")
}

export interface NextSteps {
  readonly framework: Framework
  readonly plan: Plan
  readonly packageManager: string
  readonly isInstalled: boolean
}

/** @param path the folder as seen from the current one, with slashes, which every shell understands in quotes */
export function formatNextSteps(
  { frameworks, manifest }: Project,
  path: string,
  { framework, plan, packageManager, isInstalled }: NextSteps,
): string {
  const isNew = frameworks.length === 0
  const commands = [
    ...(path === "" ? [] : [`cd ${/\s/.test(path) ? JSON.stringify(path) : path}`]),
    ...(isInstalled ? [] : [`${packageManager} install`]),
    ...(isNew || manifest?.content.scripts?.["dev"] ? [`${packageManager} run dev`] : []),
  ]
  const { configFile, routes } = plan
  return [
    "\nDone. Next:\n",
    ...(routes === undefined
      ? []
      : [
          `  Mount ${routes.file} in your server, which here is in the same folder:\n`,
          `    import { members } from "${routes.specifier}"`,
          `    ${framework.mountCall}\n`,
          "  Start it with the variable NODE_ENV set to development, and with node --env-file=.env, which reads the secret.",
          "  Then check it: npx @latchkey/cli doctor --development --online",
        ]),
    ...commands.map((command) => `  ${style("cyan", command)}`),
    `\nOpen ${isNew ? `http://localhost:${framework.port}/members` : "/members"}, and sign in as one of the made-up people.`,
    `Before you deploy, add a provider of your own to ${configFile}.`,
  ].join("\n")
}
