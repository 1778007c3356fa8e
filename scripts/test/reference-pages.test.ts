/**
 * Every option, callback, event and command has one page, where a table lists it: the names come from the sources. The
 * pages of errors and warnings are tested in `packages/core/test/errors/docs.test.ts`.
 */
import { globSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { createProgram } from "../../packages/cli/src/program.ts"
import { findOptionTables, readDocument } from "../reference/option-homes.ts"
import { findOptionTypes } from "../reference/option-types.ts"

const tables = findOptionTables()
const types = findOptionTypes().map(({ packageName, name, members }) => ({
  id: `${packageName} ${name}`,
  names: members.map((member) => member.name),
}))
const program = createProgram({ out: () => {}, err: () => {} }, () => {})
const commands = program.commands.map((command) => ({
  id: `latchkey ${command.name()}`,
  // `--no-install` is an option of its own; `-y` is another name of `--yes`.
  names: command.options.map(({ long }) => long ?? ""),
}))
const references = [...types, ...commands.filter(({ names }) => names.length > 0)]

test("the names come from all packages", () => {
  const packages = new Set(types.map(({ id }) => id.split(" ")[0]))
  expect(packages.size).toBeGreaterThan(9)
  expect(references.length).toBeGreaterThan(80)
})

test("every table of options says whose options they are", () => {
  expect(tables.filter((table) => table.types.length === 0)).toEqual([])
})

test("the options of every type and command are listed on one page", () => {
  const pages = references.map(({ id }) => [
    id,
    tables.filter((table) => table.types.includes(id)).map(({ file }) => file),
  ])
  expect(pages.filter(([, files]) => files?.length !== 1)).toEqual([])
})

test.each(tables)("$file lists each option of $types, and no others", ({ types: ids, names }) => {
  const expected = references.filter(({ id }) => ids.includes(id)).flatMap((each) => each.names)
  const listed = names.filter((name) => !/^(?:-.|[A-Z]+)$/.test(name)).map(readFlag)
  expect(listed.sort()).toEqual(expected.sort())
})

/** Returns the name of a command's option without its value. */
function readFlag(name: string): string {
  return name.startsWith("--") ? name.replace(/ .*/, "") : name
}

test("every command has a section on one page", () => {
  const documents = globSync(["docs/*.md", "packages/*/README.md"]).map(readDocument).join("\n")
  for (const { id } of commands)
    expect(documents.match(new RegExp(`^## \`${id}(?: \\[[A-Z]+\\])?\`$`, "gm"))).toHaveLength(1)
})

test("the README of each package names every entry", () => {
  const missing = globSync("packages/*/package.json").flatMap((manifest) => {
    const { name, exports = {} } = JSON.parse(readFileSync(manifest, "utf8"))
    const readme = readFileSync(manifest.replace("package.json", "README.md"), "utf8")
    return Object.keys(exports)
      .filter((entry) => entry !== "." && entry !== "./package.json")
      .map((entry) => entry.replace("/*", "/"))
      .filter((entry) => ![entry, entry.replace(".", name)].some((path) => readme.includes(path)))
      .map((entry) => entry.replace(".", name))
  })
  expect(missing).toEqual([])
})

test("every security event has one row", () => {
  const source = readFileSync("packages/core/src/config/security-events.ts", "utf8")
  const page = readFileSync("docs/audit-log.md", "utf8")
  const [, table = ""] = page.split("## The types")
  const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
  )
  const types = [...source.matchAll(/^ {2}"([a-z-]+)": /gm)].map(([, name]) => name)
  expect(types.length).toBeGreaterThan(20)
  expect(listed.sort()).toEqual([...new Set(types)].sort())
})
