/** What applications that installed the packages may write, and what TypeScript knows of it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { describe, expect, onTestFinished, test } from "vitest"
import { compile, type Layout, project, refusals } from "./project.ts"

const settings: [string, ts.CompilerOptions][] = [
  ["with exact optional properties", { exactOptionalPropertyTypes: true }],
  ["without exact optional properties", { exactOptionalPropertyTypes: false }],
  [
    "for a bundler",
    { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  ],
]

describe("a project with declarations", { timeout: 120_000 }, () => {
  test.each(settings)("is typed by its configuration, %s", (_name, options) => {
    const folder = opened("consumers/core")
    expect(places(compile(folder, options).problems)).toEqual(refusals(folder, "refused.ts"))
    // Whoever uses the project sees what its compiler wrote.
    expect(compile(join(folder, "after"), { ...options, composite: false }).problems).toEqual([])
  })

  test.each<Layout>(["flat", "strict"])(
    "gets by with the package for Express, installed %s",
    (layout) => {
      const folder = opened("consumers/express", layout)
      expect(compile(folder, { exactOptionalPropertyTypes: true }).problems).toEqual([])
    },
  )

  test.each(["@latchkey/core/types", "@latchkey/core", "@latchkey/express"])(
    "may augment Session, User and JWT of %s",
    (name) => {
      const folder = opened("consumers/augmented")
      expect(compile(augment(folder, name)).problems).toEqual([])
    },
  )
})

test("may augment JWT where tokens are read", () => {
  const folder = opened("consumers/augmented-jwt")
  expect(compile(folder).problems).toEqual([])
})

function opened(sources: string, layout?: Layout): string {
  const folder = project(sources, layout)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Where the problems are, and which. */
function places(problems: string[]): string[] {
  return problems.map((problem) => problem.split(" ", 2).join(" "))
}

/** Says of another module what the project says of its types. */
function augment(folder: string, name: string): string {
  const file = join(folder, "augmentation.ts")
  const text = readFileSync(file, "utf8")
  writeFileSync(
    file,
    text.replace('declare module "@latchkey/core/types"', `declare module "${name}"`),
  )
  return folder
}
