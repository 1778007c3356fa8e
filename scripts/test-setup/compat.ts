import { runScript } from "./run-script.ts"

/**
 * Installs the other libraries, and type-checks the tests that use them, which `tsc -b` at the root leaves out. Bun, Deno and
 * workerd use the built packages.
 */
export default function setUp(): void {
  runScript("scripts/compat-install.ts")
  runScript("scripts/provider-entries.ts")
  runScript("scripts/build.ts")
  for (const args of [
    ["-b"],
    ["-p", "compat/authjs"],
    ["-p", "compat/other-libraries"],
    ["-p", "compat/recipes"],
  ])
    runScript("node_modules/@typescript/native/bin/tsc", ...args)
}
