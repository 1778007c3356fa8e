/** `npm ci` installs in an application what its lock file says of our packages, not what their manifests say. */
import { globSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const locks = globSync(["examples/*/package-lock.json", "compat/*/package-lock.json"])
const own = "node_modules/@latchkey/"
const entries = locks.flatMap((file) =>
  Object.entries<Needs>(read(file).packages)
    .filter(([place]) => place.startsWith(own))
    .map(([place, locked]) => ({ file, name: place.slice(own.length), locked })),
)

test("there are lock files, and our packages in them", () => {
  expect(entries.map(({ file, name }) => `${file}: ${name}`)).toEqual(
    expect.arrayContaining([
      "examples/express/package-lock.json: express",
      "compat/qwik-2/package-lock.json: qwik",
    ]),
  )
})

test.each(entries)(
  "$file knows what $name needs, or is made anew by `node scripts/applications/relock.ts`",
  ({ name, locked }) => {
    expect(needs(locked)).toEqual(needs(read(`packages/${name}/package.json`)))
  },
)

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function needs({ dependencies = {}, peerDependencies = {} }: Needs): Required<Needs> {
  return { dependencies, peerDependencies }
}

function read(file: string) {
  return JSON.parse(readFileSync(file, "utf8"))
}
