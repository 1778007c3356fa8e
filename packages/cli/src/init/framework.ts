/** The frameworks that `latchkey init` knows. */

/** The value of `--framework`, and the name of the folder with the templates. */
type FrameworkName =
  | "express"
  | "sveltekit"
  | "solid-start"
  | "qwik"
  | "next"
  | "hono"
  | "react-router"
  | "astro"
  | "nuxt"

export interface Framework {
  readonly name: FrameworkName
  readonly title: string
  /** The packages that projects are recognised by, with their oldest supported versions. */
  readonly packages: Readonly<Record<string, string>>
  /** The package that mounts the routes. */
  readonly integration: string
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
  /** The template of the configuration. */
  readonly configFile: string
  /** The stylesheet of a new application. */
  readonly stylesheet: string
  /** How people mount the file `members.ts`, which an existing application gets. */
  readonly mountCall?: string
  /** Whether its build tool accepts an application whose `package.json` has no `"type": "module"`. */
  readonly acceptsCommonJs?: boolean
  /** The oldest version of Node.js for a new application. */
  readonly oldestNode: string
  /** The port of a new application. */
  readonly port: number
}

const tools = ["@latchkey/cli", "@latchkey/testing"]

export const frameworks: readonly Framework[] = [
  {
    name: "express",
    title: "Express",
    packages: { express: "4.18.2" },
    integration: "@latchkey/express",
    dependencies: ["@latchkey/core", "@latchkey/express"],
    devDependencies: tools,
    configFile: "auth.ts",
    stylesheet: "public/style.css",
    mountCall: "app.use(members)",
    oldestNode: "20.6",
    port: 3000,
  },
  {
    name: "sveltekit",
    title: "SvelteKit",
    packages: { "@sveltejs/kit": "2.63.0" },
    integration: "@latchkey/sveltekit",
    dependencies: ["@latchkey/core", "@latchkey/sveltekit"],
    devDependencies: tools,
    configFile: "src/auth.config.ts",
    stylesheet: "src/app.css",
    oldestNode: "22.17",
    port: 5173,
  },
  {
    name: "solid-start",
    title: "SolidStart",
    packages: { "@solidjs/start": "1.1.0" },
    integration: "@latchkey/solid-start",
    dependencies: ["@latchkey/core", "@latchkey/solid-start"],
    devDependencies: tools,
    configFile: "src/auth.config.ts",
    stylesheet: "src/app.css",
    oldestNode: "24.0",
    port: 3000,
  },
  {
    name: "qwik",
    title: "Qwik",
    packages: { "@builder.io/qwik-city": "1.9.0", "@qwik.dev/router": "2.0.0-0" },
    integration: "@latchkey/qwik",
    dependencies: ["@latchkey/core"],
    // Qwik accepts packages that become part of the build only here.
    devDependencies: [...tools, "@latchkey/qwik"],
    configFile: "src/auth.config.ts",
    stylesheet: "src/app.css",
    oldestNode: "22.0",
    port: 5173,
  },
  {
    name: "next",
    title: "Next.js",
    packages: { next: "15.5.0" },
    integration: "@latchkey/next",
    dependencies: ["@latchkey/core", "@latchkey/next"],
    devDependencies: tools,
    configFile: "src/auth.ts",
    stylesheet: "src/app/style.css",
    acceptsCommonJs: true,
    oldestNode: "20.9",
    port: 3000,
  },
  {
    name: "hono",
    title: "Hono",
    packages: { hono: "4.0.0" },
    integration: "@latchkey/fetch",
    dependencies: ["@latchkey/core", "@latchkey/fetch"],
    devDependencies: tools,
    configFile: "auth.ts",
    stylesheet: "public/style.css",
    mountCall: 'app.route("/", members)',
    oldestNode: "22.18",
    port: 3000,
  },
  {
    name: "react-router",
    title: "React Router",
    packages: { "@react-router/dev": "8.0.0" },
    integration: "@latchkey/fetch",
    dependencies: ["@latchkey/core", "@latchkey/fetch"],
    devDependencies: tools,
    configFile: "app/auth.server.ts",
    stylesheet: "app/app.css",
    oldestNode: "22.22",
    port: 5173,
  },
  {
    name: "astro",
    title: "Astro",
    packages: { astro: "5.0.0" },
    integration: "@latchkey/fetch",
    dependencies: ["@latchkey/core", "@latchkey/fetch"],
    devDependencies: tools,
    configFile: "src/auth.ts",
    stylesheet: "src/app.css",
    acceptsCommonJs: true,
    oldestNode: "22.12",
    port: 4321,
  },
  {
    name: "nuxt",
    title: "Nuxt",
    packages: { nuxt: "4.0.0" },
    integration: "@latchkey/fetch",
    dependencies: ["@latchkey/core", "@latchkey/fetch"],
    devDependencies: tools,
    configFile: "server/utils/auth.ts",
    stylesheet: "app/app.css",
    acceptsCommonJs: true,
    oldestNode: "22.19",
    port: 3000,
  },
]

export function findFramework(name?: string): Framework | undefined {
  return frameworks.find((framework) => framework.name === name)
}
