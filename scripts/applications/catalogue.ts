/** The applications: each framework's example, on its newest major and on the one before. */

/** Environment variables for a build or a server. */
export type Environment = Readonly<Record<string, string>>

/** Where an application runs, and how people reach it. */
export interface ApplicationAddress {
  readonly port: number
  /** As browsers see it: that of a proxy where there is one. */
  readonly origin: string
}

/** An example application on one major of its framework. */
export interface Application {
  /** Such as `express`, or `express-4` for the older major. */
  readonly name: string
  /** Names the folder of the example, and that of its probe in `compat/behaviour`. */
  readonly framework: "express" | "sveltekit" | "solid-start" | "qwik"
  /** For people, such as `Express 5`. */
  readonly title: string
  /** Folder of the files that differ from the example's, for the older major. */
  readonly overlay?: string
  /** Where the example expects the style sheet that all examples share. */
  readonly stylesheet: string
  /** The packages whose versions tell what was tested. */
  readonly versionedPackages: readonly string[]
  /** Where the library's routes are, unless the configuration says otherwise. */
  readonly basePath: string
  /** Whether a form of the own pages does without a token. */
  readonly trustSameOrigin: boolean
  /** What tells the application's build its address; nothing where only the server has to know. */
  readonly buildEnv?: (address: ApplicationAddress) => Environment
  /** What tells the server its address. */
  readonly runEnv: (address: ApplicationAddress) => Environment
  /** What makes the server believe the forwarded headers of its proxy, where the framework has a say in that. */
  readonly proxyTrustEnv?: Environment
}

const express = {
  framework: "express",
  stylesheet: "public/style.css",
  versionedPackages: ["express"],
  basePath: "/auth",
  trustSameOrigin: false,
  runEnv: createListenEnv,
  proxyTrustEnv: { PROBE_TRUST_PROXY: "loopback" },
} as const

const sveltekit = {
  framework: "sveltekit",
  stylesheet: "src/app.css",
  basePath: "/auth",
  trustSameOrigin: true,
  versionedPackages: ["@sveltejs/kit", "svelte"],
} as const

const solidStart = {
  framework: "solid-start",
  stylesheet: "src/app.css",
  basePath: "/api/auth",
  trustSameOrigin: false,
  versionedPackages: ["@solidjs/start", "solid-js"],
  runEnv: createListenEnv,
} as const

const qwik = {
  framework: "qwik",
  stylesheet: "src/app.css",
  basePath: "/auth",
  trustSameOrigin: true,
  runEnv: createOriginEnv,
} as const

export const applications: readonly Application[] = [
  { ...express, name: "express", title: "Express 5" },
  { ...express, name: "express-4", title: "Express 4", overlay: "compat/express-4" },
  {
    ...sveltekit,
    name: "sveltekit",
    title: "SvelteKit 3",
    buildEnv: ({ origin }) => ({ ORIGIN: origin }),
    runEnv: createListenEnv,
  },
  {
    ...sveltekit,
    name: "sveltekit-2",
    title: "SvelteKit 2",
    overlay: "compat/sveltekit-2",
    runEnv: createOriginEnv,
  },
  { ...solidStart, name: "solid-start", title: "SolidStart 2" },
  {
    ...solidStart,
    name: "solid-start-1",
    title: "SolidStart 1",
    overlay: "compat/solid-start-1",
  },
  {
    ...qwik,
    name: "qwik",
    title: "Qwik City 1",
    versionedPackages: ["@builder.io/qwik-city"],
  },
  {
    ...qwik,
    name: "qwik-2",
    title: "Qwik 2",
    overlay: "compat/qwik-2",
    versionedPackages: ["@qwik.dev/router"],
  },
]

/** The application of a name, such as `express` or `express-4`. */
export function findApplication(name: string): Application | undefined {
  return applications.find((each) => each.name === name)
}

/** The folders that an application is made from: what is in a later one replaces what is in an earlier one. */
export function sourceFolders({ framework, overlay }: Application): string[] {
  return [`examples/${framework}`, ...(overlay === undefined ? [] : [overlay])]
}

function createListenEnv({ port }: ApplicationAddress): Environment {
  return { HOST: "127.0.0.1", PORT: String(port) }
}

function createOriginEnv(address: ApplicationAddress): Environment {
  return { ...createListenEnv(address), ORIGIN: address.origin }
}
