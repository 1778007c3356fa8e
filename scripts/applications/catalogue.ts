/** The applications: each framework's example, on its newest major and on the one before. */

/** Environment variables for a build or a server. */
export type Environment = Readonly<Record<string, string>>

/** Where an application runs, and how people reach it. */
export interface Place {
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
  /** The packages whose versions tell what was tested. */
  readonly versions: readonly string[]
  /** Where the library's routes are, unless the configuration says otherwise. */
  readonly basePath: string
  /** Whether a form of the own pages does without a token. */
  readonly ownPagesSuffice: boolean
  /** What tells the application's build its address; nothing where only the server has to know. */
  readonly buildFor?: (place: Place) => Environment
  /** What tells the server its address. */
  readonly runFor: (place: Place) => Environment
  /** What makes the server believe the forwarded headers of its proxy, where the framework has a say in that. */
  readonly trustingProxy?: Environment
}

const express = {
  framework: "express",
  versions: ["express"],
  basePath: "/auth",
  ownPagesSuffice: false,
  runFor: listening,
  trustingProxy: { PROBE_TRUST_PROXY: "loopback" },
} as const

const sveltekit = {
  framework: "sveltekit",
  basePath: "/auth",
  ownPagesSuffice: true,
  versions: ["@sveltejs/kit", "svelte"],
} as const

const solidStart = {
  framework: "solid-start",
  basePath: "/api/auth",
  ownPagesSuffice: false,
  versions: ["@solidjs/start", "solid-js"],
  runFor: listening,
} as const

const qwik = {
  framework: "qwik",
  basePath: "/auth",
  ownPagesSuffice: true,
  runFor: withOrigin,
} as const

export const applications: readonly Application[] = [
  { ...express, name: "express", title: "Express 5" },
  { ...express, name: "express-4", title: "Express 4", overlay: "compat/express-4" },
  {
    ...sveltekit,
    name: "sveltekit",
    title: "SvelteKit 3",
    buildFor: ({ origin }) => ({ ORIGIN: origin }),
    runFor: listening,
  },
  {
    ...sveltekit,
    name: "sveltekit-2",
    title: "SvelteKit 2",
    overlay: "compat/sveltekit-2",
    runFor: withOrigin,
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
    versions: ["@builder.io/qwik-city"],
  },
  {
    ...qwik,
    name: "qwik-2",
    title: "Qwik 2",
    overlay: "compat/qwik-2",
    versions: ["@qwik.dev/router"],
  },
]

/** The application of a name, such as `express` or `express-4`. */
export function applicationNamed(name: string): Application | undefined {
  return applications.find((each) => each.name === name)
}

/** The folders that an application is made from: what is in a later one replaces what is in an earlier one. */
export function foldersOf({ framework, overlay }: Application): string[] {
  return [`examples/${framework}`, ...(overlay === undefined ? [] : [overlay])]
}

function listening({ port }: Place): Environment {
  return { HOST: "127.0.0.1", PORT: String(port) }
}

function withOrigin(place: Place): Environment {
  return { ...listening(place), ORIGIN: place.origin }
}
