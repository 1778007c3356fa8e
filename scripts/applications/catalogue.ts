/** The tested applications: the example of each framework, on its newest major version and on the previous one. */

/** Environment variables for a build or a server. */
export type Environment = Readonly<Record<string, string>>

/** The port of an application, and its public origin. */
export interface ApplicationAddress {
  readonly port: number
  /** The origin that browsers see: that of the proxy, if there is one. */
  readonly origin: string
}

/** An example application on one major version of its framework. */
export interface Application {
  /** For example `express`, or `express-4` for the older major version. */
  readonly name: string
  /** The name of the folders in `examples` and `compat/behaviour`. */
  readonly framework:
    | "express"
    | "sveltekit"
    | "solid-start"
    | "qwik"
    | "next"
    | "hono"
    | "react-router"
    | "astro"
  /** The title in the table, such as `Express 5`. */
  readonly title: string
  /** The folder with the files that differ from the example's, for the older major version. */
  readonly overlay?: string
  /** Whether only the example is tested here: the tests of `@latchkey/fetch` try its behaviours. */
  readonly isExampleOnly?: boolean
  /** The path of the shared style sheet in the example. */
  readonly stylesheet: string
  /** The packages whose versions are shown. */
  readonly versionedPackages: readonly string[]
  /** The default base path of the library. */
  readonly basePath: string
  /** Whether a same-origin form needs no CSRF token. */
  readonly trustSameOrigin: boolean
  /** Returns the variables that tell the build the origin; absent if only the server needs it. */
  readonly buildEnv?: (address: ApplicationAddress) => Environment
  /** Returns the variables that tell the server its port and origin. */
  readonly runEnv: (address: ApplicationAddress) => Environment
  /** The variables that make the framework trust the forwarded headers of its proxy, if it has a setting for that. */
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

const next = {
  framework: "next",
  stylesheet: "src/app/style.css",
  versionedPackages: ["next", "react"],
  basePath: "/api/auth",
  trustSameOrigin: false,
  // Next.js cannot tell forwarded headers of a proxy from those of a client, so none is trusted.
  runEnv: ({ port, origin }: ApplicationAddress) => ({ PORT: String(port), AUTH_URL: origin }),
} as const

/** The examples of `@latchkey/fetch`. */
const fetchExample = {
  isExampleOnly: true,
  basePath: "/auth",
  trustSameOrigin: true,
  runEnv: createListenEnv,
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
  { ...next, name: "next", title: "Next.js 16" },
  { ...next, name: "next-15", title: "Next.js 15", overlay: "compat/next-15" },
  {
    ...fetchExample,
    framework: "hono",
    name: "hono",
    title: "Hono",
    stylesheet: "public/style.css",
    versionedPackages: ["hono"],
  },
  {
    ...fetchExample,
    framework: "react-router",
    name: "react-router",
    title: "React Router",
    stylesheet: "app/app.css",
    versionedPackages: ["react-router"],
  },
  {
    ...fetchExample,
    framework: "astro",
    name: "astro",
    title: "Astro",
    stylesheet: "src/app.css",
    versionedPackages: ["astro"],
  },
]

/** Returns the application with a name, such as `express` or `express-4`. */
export function findApplication(name: string): Application | undefined {
  return applications.find((each) => each.name === name)
}

/**
 * Whether Chromium tests everything on an application. On the other major version of its framework, it tests only what
 * depends on the version; the behaviour table is tested on both.
 */
export function isFullyTested({ overlay }: Application): boolean {
  return overlay === undefined
}

/** Returns the source folders of an application. Files of later folders replace those of earlier ones. */
export function sourceFolders({ framework, overlay }: Application): string[] {
  return [`examples/${framework}`, ...(overlay === undefined ? [] : [overlay])]
}

function createListenEnv({ port }: ApplicationAddress): Environment {
  return { HOST: "127.0.0.1", PORT: String(port) }
}

function createOriginEnv(address: ApplicationAddress): Environment {
  return { ...createListenEnv(address), ORIGIN: address.origin }
}
