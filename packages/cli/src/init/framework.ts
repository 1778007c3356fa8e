/** The frameworks that `latchkey init` knows. */

/** The value of `--framework`, and the name of the folder with the templates. */
export type FrameworkName = "express" | "sveltekit" | "solid-start" | "qwik"

export interface Framework {
  readonly name: FrameworkName
  readonly title: string
  /** The packages that projects are recognised by, with their oldest supported versions. */
  readonly packages: Readonly<Record<string, string>>
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
  /** The extension of relative imports in a project whose TypeScript configuration does not allow `.ts`. */
  readonly importExtension: string
  /** Whether the configuration that the framework generates allows `.ts`. */
  readonly alwaysAllowsTsImports?: boolean
  /** The file with the configuration, for messages. */
  readonly configFile: string
  /** The port of a new application. */
  readonly port: number
  /** What people have to do in an existing application, because no file can do it. */
  readonly manualStep?: string
}

const tools = ["@latchkey/cli", "@latchkey/testing"]

export const frameworks: readonly Framework[] = [
  {
    name: "express",
    title: "Express",
    packages: { express: "4.18.2" },
    dependencies: ["@latchkey/core", "@latchkey/express"],
    devDependencies: tools,
    importExtension: ".js",
    configFile: "auth.ts",
    port: 3000,
    manualStep: 'in your server: import { members } from "./members.ts" and app.use(members)',
  },
]

export function findFramework(name: string): Framework | undefined {
  return frameworks.find((framework) => framework.name === name)
}
