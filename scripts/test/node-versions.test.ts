/** The README names the versions of Node.js that the packages ask for. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { readPublishedPackages } from "../published-packages.ts"

const [, row = ""] = /^\| Node\.js \| (.*) \|$/m.exec(readFileSync("README.md", "utf8")) ?? []
const exceptions = [...row.matchAll(/([\d.]+) for ((?:`[^`]+`(?: and )?)+)/g)]

test.each(readPublishedPackages())("$name", ({ folder, name }) => {
  const { engines } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
  const [, exception] = exceptions.find(([, , names]) => names?.includes(`\`${name}\``)) ?? []
  const [usual] = row.split(" ", 1)
  expect(engines.node.replace(/\.0$/, "")).toBe(`>=${exception ?? usual}`)
})
