/** The applications whose page is measured: the same in each framework, with each library and without one. */
import type { Measurement } from "../process/commands.ts"

export interface Framework {
  /** The package of Auth.js and its version; undefined if none runs on the framework. */
  readonly authjsPackage: string | undefined
  /** The files of the example application that are kept: the beginnings of their paths. */
  readonly exampleFiles: readonly string[]
}

const installFiles = ["package.json", "package-lock.json", ".npmrc", "tsconfig.json"]

/** The ids are the names of the example applications. */
export const frameworks = {
  sveltekit: {
    authjsPackage: undefined,
    exampleFiles: [...installFiles, "vite.config.ts", "src/app.html"],
  },
  "sveltekit-2": {
    authjsPackage: "@auth/sveltekit@1.11.3",
    exampleFiles: [...installFiles, "vite.config.ts", "svelte.config.js", "src/app.html"],
  },
  "solid-start": {
    authjsPackage: "@auth/solid-start@0.19.2",
    exampleFiles: [...installFiles, "src/entry-"],
  },
  qwik: {
    authjsPackage: "@auth/qwik@0.9.1",
    exampleFiles: [...installFiles, "vite.config.ts", "adapters/", "src/entry.ssr.tsx"],
  },
  next: {
    authjsPackage: "next-auth@5.0.0-beta.32",
    exampleFiles: [...installFiles, "next.config.ts"],
  },
} as const satisfies Record<string, Framework>

export type FrameworkId = keyof typeof frameworks

export const frameworkIds = Object.keys(frameworks) as FrameworkId[] // the keys of `frameworks`

/** An application: the page with a session check, or without a library. */
export type ApplicationId = "bare" | "latchkey" | "authjs"

/** The measurements of each application, one for each round. */
export type FrameworkRounds = Readonly<
  Record<FrameworkId, Readonly<Partial<Record<ApplicationId, readonly Measurement[]>>>>
>
