/** `npm ci` installs the dependencies of our packages from the lock files, so these must match the manifests. */
import { globSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const lockFiles = globSync(["examples/*/package-lock.json", "compat/*/package-lock.json"])
const packagePrefix = "node_modules/@latchkey/"
const lockedPackages = lockFiles.flatMap((file) =>
  Object.entries<Dependencies>(readJson(file).packages)
    .filter(([path]) => path.startsWith(packagePrefix))
    .map(([path, locked]) => ({ file, name: path.slice(packagePrefix.length), locked })),
)

test("lock files contain our packages", () => {
  expect(lockedPackages.map(({ file, name }) => `${file}: ${name}`)).toEqual(
    expect.arrayContaining([
      "examples/express/package-lock.json: express",
      "compat/qwik-2/package-lock.json: qwik",
    ]),
  )
})

test.each(lockedPackages)(
  "$file knows what $name needs, or is made anew by `node scripts/applications/update-lock-files.ts`",
  ({ name, locked }) => {
    expect(selectDependencies(locked)).toEqual(
      selectDependencies(readJson(`packages/${name}/package.json`)),
    )
  },
)

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function selectDependencies({
  dependencies = {},
  peerDependencies = {},
}: Dependencies): Required<Dependencies> {
  return { dependencies, peerDependencies }
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"))
}
