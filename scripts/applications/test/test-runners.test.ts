/** The recipes of docs/testing.md, with the packed packages: each test runner passes its two tests. */
import { beforeAll, expect, test } from "vitest"
import { runScript } from "../../test-setup/run-script.ts"
import { startProgram } from "../command.ts"
import { unpackPackage } from "../tarballs.ts"

const folder = "compat/test-runners"
const jest = "../node_modules/jest/bin/jest.js"
const vitest = "../../../node_modules/vitest/vitest.mjs"

beforeAll(() => {
  runScript("scripts/compat-install.ts", folder)
  for (const name of ["core", "pages", "testing"]) unpackPackage(name, folder)
})

test.concurrent.each([
  ["jest-esm", ["--experimental-vm-modules", jest]],
  ["jest-commonjs", [jest]],
  // Jest calls `require` for ES modules itself from Node.js 24.9 on.
  ["jest-commonjs", ["--experimental-vm-modules", jest, "--config", "{}"]],
  ["vitest", [vitest, "run"]],
])("%s: node %j", async (name, args) => {
  const runner = startProgram(process.execPath, args, { cwd: `${folder}/${name}` })
  const exitCode = await runner.exitCode
  expect(runner.output()).toMatch(/Tests:?\s+2 passed/)
  expect(exitCode).toBe(0)
})
