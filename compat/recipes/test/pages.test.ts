/** The pages of the recipes show the files that the other tests run. */
import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { readCodeBlocks } from "../../../scripts/code-blocks/blocks.ts"

const root = new URL("../../../", import.meta.url)
const readText = (path: string) => readFileSync(new URL(path, root), "utf8")

test.each(["fastify", "hono", "nestjs"])("docs/%s.md has every file of the recipe", (name) => {
  const folder = `compat/recipes/${name}/`
  const blocks = readCodeBlocks().filter(({ file }) => file === `docs/${name}.md`)
  const shown = blocks
    .filter(({ kind }) => kind.startsWith(`ts file=${folder}`))
    .map(({ kind, code }) => [kind.split(folder)[1], code])
  const files = readdirSync(new URL(folder, root)).filter((file) => file !== "password.ts")
  const written = files.map((file) => [file, readText(folder + file)])
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(written))
})

test("the recipes' password.ts is the complete example of docs/credentials.md", () => {
  const blocks = readCodeBlocks().filter(({ file }) => file === "docs/credentials.md")
  const example = blocks.find(({ kind }) => kind === "ts run")
  expect(example?.code.startsWith(readText("compat/recipes/password.ts"))).toBe(true)
})
