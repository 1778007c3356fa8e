/** What applications that installed the packages may write, and what TypeScript knows of it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  buildRepository,
  compileProject,
  createEntriesProject,
  createProject,
  linkPackage,
  type ModulesLayout,
  readExpectedErrors,
} from "./project.ts"

const compilerSettings: [string, Readonly<Record<string, unknown>>][] = [
  ["with exact optional properties", { exactOptionalPropertyTypes: true }],
  ["without exact optional properties", { exactOptionalPropertyTypes: false }],
  ["for a bundler", { module: "esnext", moduleResolution: "bundler" }],
]

// The compatibility tests repeat with the oldest compiler what depends on a compiler. How packages lie, and which of the
// names of a module is augmented, does not.
const isOlderCompiler = process.env["LATCHKEY_TYPESCRIPT"] !== undefined
const unlessOlder = <Value>(...values: Value[]): Value[] => (isOlderCompiler ? [] : values)

// First, because the projects below install the declarations.
test("everything in the repository has correct types", { timeout: 300_000 }, async () => {
  expect(await buildRepository()).toBe("")
})

describe("a project with declarations", { timeout: 120_000 }, () => {
  test.each(compilerSettings)("has types inferred from its configuration, %s", (_name, options) => {
    const folder = openProject("consumers/core")
    expect(errorLocations(compileProject(folder, { options }).diagnostics)).toEqual(
      readExpectedErrors(folder, "type-errors.ts").map((problem) => expect.stringMatching(problem)),
    )
    // The declarations that the compiler wrote are what users of the project see.
    expect(
      compileProject(join(folder, "after"), { options: { ...options, composite: false } })
        .diagnostics,
    ).toEqual([])
  })

  test.each<ModulesLayout>([...unlessOlder("flat" as const), "strict"])(
    "needs only the package for Express, and no types of browsers, installed %s",
    (layout) => {
      const folder = openProject("consumers/express", layout)
      const options = { exactOptionalPropertyTypes: true, lib: ["es2023"] }
      expect(compileProject(folder, { options }).diagnostics).toEqual([])
    },
  )

  test.each([...unlessOlder("@latchkey/core/types", "@latchkey/core"), "@latchkey/express"])(
    "can augment Session, User and JWT of %s",
    (name) => {
      const folder = openProject("consumers/augmented")
      expect(compileProject(changeAugmentedModule(folder, name)).diagnostics).toEqual([])
    },
  )
})

test("a project can augment JWT where tokens are read", () => {
  const folder = openProject("consumers/augmented-jwt")
  expect(compileProject(folder).diagnostics).toEqual([])
})

// Only newer compilers have the option.
test.skipIf(isOlderCompiler)("a project compiles with isolated declarations", () => {
  const options = { isolatedDeclarations: true, exactOptionalPropertyTypes: true }
  expect(compileProject(openProject("consumers/isolated"), { options }).diagnostics).toEqual([])
})

test("a project finds the types of Auth.js under their names", () => {
  expect(compileProject(openProject("consumers/moved-names")).diagnostics).toEqual([])
})

// The compatibility tests compile them with all settings.
const settings = compilerSettings.slice(0, isOlderCompiler ? undefined : 1)

describe.each(settings)("%s, configurations written for Auth.js", (_name, options) => {
  test.each(["moved", "moved-augmented"])("compile: %s", (folder) => {
    const project = openProject(`consumers/${folder}`)
    expect(compileProject(project, { options }).diagnostics).toEqual([])
  })
})

// Auth.js is installed for the compatibility tests only.
test.runIf(isOlderCompiler)("required members of users compile with adapters of Auth.js", () => {
  const folder = openProject("consumers/required-members")
  linkPackage("../compat/authjs/node_modules/@auth", join(folder, "node_modules"))
  // Their declarations have errors of their own.
  expect(compileProject(folder, { options: { skipLibCheck: true } }).diagnostics).toEqual([])
})

const oldestCompiler = process.env["LATCHKEY_TYPESCRIPT"] ?? ""
const node10 = { module: "commonjs", moduleResolution: "node10", esModuleInterop: true }
const bundled = { module: "commonjs", moduleResolution: "bundler" }

// Each compiler resolves modules as its newest setting and as `module: commonjs` do.
const entrySettings: [compiler: string, options: Readonly<Record<string, unknown>>][] =
  isOlderCompiler
    ? [
        [oldestCompiler, {}],
        [oldestCompiler, node10],
        ["typescript", { ...node10, ignoreDeprecations: "6.0" }],
      ]
    : [
        ["@typescript/native", {}],
        ["@typescript/native", bundled],
      ]

test.each(entrySettings)(
  "all entries compile without the DOM library: %s, %j",
  (compiler, options) => {
    const folder = createEntriesProject()
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const settings = { lib: ["es2023"], composite: false, noEmit: true, ...options }
    const { diagnostics } = compileProject(folder, { compiler, options: settings })
    // Frameworks, drivers and components are not installed.
    const isMissing = /TS2307 Cannot find module '(?!@latchkey)(?:[^.].*|.*\.svelte)' /
    expect(diagnostics.filter((problem) => !isMissing.test(problem))).toEqual([])
  },
)

function openProject(sources: string, layout?: ModulesLayout): string {
  const folder = createProject(sources, layout)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Where the problems are, and which. */
function errorLocations(problems: string[]): string[] {
  return problems.map((problem) => problem.split(" ", 2).join(" "))
}

/** Augments another module with the types of the project. */
function changeAugmentedModule(folder: string, name: string): string {
  const file = join(folder, "augmentation.ts")
  const text = readFileSync(file, "utf8")
  writeFileSync(
    file,
    text.replace('declare module "@latchkey/core/types"', `declare module "${name}"`),
  )
  return folder
}
