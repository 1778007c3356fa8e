/**
 * Packs the published packages, installs the tarballs into empty folders outside the repository with plain npm, and
 * uses them there: compiles an application, signs a user in, runs the doctor, and installs them alongside Auth.js.
 */
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runCommand, runInstalledProgram, runTypeScript } from "./installable/command.ts"
import { createApplication, installPackages, packPackages } from "./installable/packages.ts"

const temporaryFolder = mkdtempSync(join(tmpdir(), "latchkey-installable-"))
let checkCount = 0
let failureCount = 0

try {
  const packedTarballs = runCheck("all packages are packed, with the licence", () =>
    packPackages(join(temporaryFolder, "tarballs")),
  )
  if (packedTarballs) {
    // `npm test -- --project examples` installs these packages, each with its framework.
    const tarballs = packedTarballs.filter(
      (file) => !/latchkey-(?:qwik|solid-start|sveltekit)-/.test(file),
    )
    checkWithExpress(tarballs)
    checkWithOtherLibraries(tarballs)
  }
} finally {
  rmSync(temporaryFolder, { recursive: true, force: true })
}
console.log(`installable: ${checkCount} checks, ${failureCount} problems`)
process.exitCode = failureCount > 0 ? 1 : 0

/** An application that uses Express and the packages that need no framework. */
function checkWithExpress(tarballs: readonly string[]): void {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"))
  const otherPackages = ["express", "typescript", "@types/node", "@types/express"]
  const folder = runCheck(`all packages install, with ${otherPackages.join(", ")}`, () => {
    const packageSpecs = otherPackages.map((name) => `${name}@${devDependencies[name]}`)
    const projectFolder = createApplication(join(temporaryFolder, "with-express"))
    installPackages(projectFolder, [...tarballs, ...packageSpecs])
    return projectFolder
  })
  if (!folder) return
  runCheck("an application compiles, declarations of packages included", () =>
    runInstalledProgram("tsc", ["--project", "."], { cwd: folder }),
  )
  runCheck("somebody signs in over HTTP", () => runTypeScript("sign-in.ts", folder))
  runCheck("tests mint sessions, in cookies and in a database", () =>
    runTypeScript("test-sessions.ts", folder),
  )
  runCheck("an error is an instance of the class that another entry exports", () =>
    runTypeScript("error-classes.ts", folder),
  )
  runCheck(
    "a stack trace names functions, and the lines of sources if Node.js reads source maps",
    () => checkStackTraces(folder),
  )
  runCheck("latchkey explain has the page of an error", () => {
    const page = runInstalledProgram("latchkey", ["explain", "MissingSecret"], { cwd: folder })
    assert.match(page, /^MissingSecret\n\nThere is no secret/)
  })
  runCheck("latchkey doctor is content with a good configuration", () =>
    runDoctor(folder, "auth.ts", 0),
  )
  runCheck("latchkey doctor finds what is wrong with a bad one", () => {
    assert.ok(runDoctor(folder, "invalid-auth.ts", 1).includes("error"))
  })
}

/** An application that migrates from Auth.js, which requires an older nodemailer. */
function checkWithOtherLibraries(tarballs: readonly string[]): void {
  const otherPackages = ["@auth/core@0.41.3", "nodemailer@7"]
  const folder = runCheck(`all packages install beside ${otherPackages.join(" and ")}`, () => {
    const projectFolder = createApplication(join(temporaryFolder, "beside-others"))
    installPackages(projectFolder, [...tarballs, ...otherPackages])
    return projectFolder
  })
  if (!folder) return
  runCheck("a link goes out through nodemailer 7", () => {
    const manifest = readFileSync(join(folder, "node_modules/nodemailer/package.json"), "utf8")
    assert.match(JSON.parse(manifest).version, /^7\./)
    runTypeScript("email-sign-in.ts", folder)
  })
}

function checkStackTraces(folder: string): void {
  const printTrace = (...flags: readonly string[]) =>
    runCommand(process.execPath, [...flags, "stack-trace.ts"], { cwd: folder })
  assert.match(printTrace(), /at encode \(.+@latchkey\/core\/dist\//)
  const [, path = "", line] =
    /\((.+@latchkey\/core\/src\/.+):(\d+):\d+\)/.exec(printTrace("--enable-source-maps")) ?? []
  assert.match(
    readFileSync(path, "utf8").split("\n")[Number(line) - 1] ?? "",
    /throw new TypeError/,
  )
}

/** Returns the levels of the doctor's findings. */
function runDoctor(folder: string, file: string, status: 0 | 1): string[] {
  const output = runInstalledProgram("latchkey", ["doctor", file, "--json"], {
    cwd: folder,
    expectedStatus: status,
  })
  const { findings }: { findings: { level: string }[] } = JSON.parse(output)
  assert.ok(findings.length > 0, "The doctor looked at nothing.")
  return findings.map(({ level }) => level)
}

/** Returns the result of a check; undefined after a failure, which is printed and counted. */
function runCheck<Result>(name: string, run: () => Result): Result | undefined {
  checkCount += 1
  try {
    const result = run()
    console.log(`✓ ${name}`)
    return result
  } catch (error) {
    failureCount += 1
    console.error(`✗ ${name}\n${error instanceof Error ? error.message : error}`)
    return undefined
  }
}
