import { readFileSync } from "node:fs"
import { socialProviderList } from "better-auth/social-providers"
import { expect, test } from "vitest"

test("docs/comparison.md names the version of Better Auth and the number of its providers", () => {
  const { version } = readJson("compat/other-libraries/node_modules/better-auth/package.json")
  const page = readFileSync("docs/comparison.md", "utf8")

  expect(page).toContain(`| ${version} |`)
  expect(page).toMatch(
    new RegExp(
      String.raw`^\| Providers that are built in \|.*\| ${socialProviderList.length} \|`,
      "m",
    ),
  )
})

function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"))
}
