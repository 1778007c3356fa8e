/** Windows accepts the names of our files, and its shells the commands that we print. */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { expect, test } from "vitest"

const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" })
  .split("\0")
  .filter(Boolean)

/** @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const invalidName = /[<>:"\\|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

test("Windows accepts the names of all files", () => {
  expect(files.length).toBeGreaterThan(1000)
  const invalid = files.filter((file) => file.split("/").some((name) => invalidName.test(name)))
  expect(invalid).toEqual([])
})

test("no two files have names that differ only in their case", () => {
  const names = new Map(files.map((file) => [file.toLowerCase(), file]))
  expect(files.filter((file) => names.get(file.toLowerCase()) !== file)).toEqual([])
})

/** The longest path without a setting that allows longer ones has 259 characters, with the folder of the application. */
test("paths in packages leave room for the folder of an application", () => {
  const published = files.filter((file) => /^packages\/[^/]+\/(?:src|templates)\//.test(file))
  expect(published.filter((file) => file.length > 120)).toEqual([])
})

/** Texts that people read in a terminal, and copy from there. */
const printed = [
  ...globSync("packages/*/src/**/*.ts"),
  ...globSync("packages/cli/templates/**/*", { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`),
  ...globSync("docs/errors/*.md"),
]

test.each([
  ["a variable in front of a command", /\b[A-Z_]{3,}=\S+ (?:npx|npm|node|pnpm|yarn|bun)\b/],
  ["an installed script without the ending of Windows", /node_modules\/\.bin\//],
  ["a quotation that cmd.exe does not know", /(?:npx|npm|node) [^\n`"]* '[^'\n]*'/],
])("no printed command has %s", (_, pattern) => {
  const found = printed.filter((file) => pattern.test(readFileSync(file, "utf8")))
  expect(printed.map((file) => basename(file))).toContain("MissingSecret.md")
  expect(found).toEqual([])
})
