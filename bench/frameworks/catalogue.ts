/** The applications whose pages are measured: the same two pages in each framework, with each library. */
import type { Measurement } from "../process/commands.ts"

/** The ids are the names of the example applications. */
export interface Framework {
  /** The package of Auth.js for this framework, and its version. */
  readonly authjsPackage: string
  /** The files of the example application that are kept, by their beginnings. */
  readonly exampleFiles: readonly string[]
}

const installFiles = ["package.json", "package-lock.json", ".npmrc", "tsconfig.json"]

export const frameworks = {
  sveltekit: {
    authjsPackage: "@auth/sveltekit@1.11.3",
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

export type FrameworkLibraryId = "latchkey" | "authjs"

/** The page that checks the session with a library, or the same page without a check, in the application with Latchkey. */
export type PageId = FrameworkLibraryId | "bare"

/** The measurements of each page, one for each round; or why an application with Auth.js does not run. */
export type FrameworkRounds = Readonly<
  Record<
    FrameworkId,
    {
      readonly pages: Readonly<Partial<Record<PageId, readonly Measurement[]>>>
      readonly authjsError?: string | undefined
    }
  >
>
