/** What applications that installed the packages may write, and what TypeScript knows of it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  buildRepository,
  compileProject,
  createProject,
  type ModulesLayout,
  readExpectedErrors,
} from "./project.ts"

const compilerSettings: [string, Readonly<Record<string, unknown>>][] = [
  ["with exact optional properties", { exactOptionalPropertyTypes: true }],
  ["without exact optional properties", { exactOptionalPropertyTypes: false }],
  ["for a bundler", { module: "esnext", moduleResolution: "bundler" }],
]

// The compatibility tests repeat with the older compiler what depends on a compiler. How packages lie, and which of the
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
    "needs only the package for Express, installed %s",
    (layout) => {
      const folder = openProject("consumers/express", layout)
      const options = { exactOptionalPropertyTypes: true }
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
