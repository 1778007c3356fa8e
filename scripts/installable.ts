/**
 * Packs the published packages, installs the tarballs into empty folders outside the repository with plain npm, and
 * uses them there: compiles an application, signs somebody in, asks the doctor, and stands beside other libraries.
 */
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installed, node } from "./installable/command.ts"
import { application, install, pack } from "./installable/packages.ts"

const workplace = mkdtempSync(join(tmpdir(), "latchkey-installable-"))
let checks = 0
let failures = 0

try {
  const packed = check("all packages are packed, with the licence", () =>
    pack(join(workplace, "tarballs")),
  )
  if (packed) {
    // `npm run test:examples` installs these, each with the framework that it is for.
    const tarballs = packed.filter((file) => !/latchkey-(?:qwik|solid-start|sveltekit)-/.test(file))
    withExpress(tarballs)
    besideOthers(tarballs)
  }
} finally {
  rmSync(workplace, { recursive: true, force: true })
}
console.log(`installable: ${checks} checks, ${failures} problems`)
process.exitCode = failures > 0 ? 1 : 0

/** An application that uses what needs no framework, and Express. */
function withExpress(tarballs: readonly string[]): void {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"))
  const others = ["express", "typescript", "@types/node", "@types/express"]
  const folder = check(`all packages install, with ${others.join(", ")}`, () => {
    const wanted = others.map((name) => `${name}@${devDependencies[name]}`)
    const empty = application(join(workplace, "with-express"))
    install(empty, [...tarballs, ...wanted])
    return empty
  })
  if (!folder) return
  check("an application compiles, declarations of packages included", () =>
    installed("tsc", ["--project", "."], { cwd: folder }),
  )
  check("somebody signs in over HTTP", () => node("sign-in.ts", folder))
  check("tests mint sessions, in cookies and in a database", () => node("minted.ts", folder))
  check("latchkey doctor is content with a good configuration", () => doctor(folder, "auth.ts", 0))
  check("latchkey doctor finds what is wrong with a bad one", () => {
    assert.ok(doctor(folder, "wrong-auth.ts", 1).includes("error"))
  })
}

/** An application that moves from another library, which wants an older nodemailer. */
function besideOthers(tarballs: readonly string[]): void {
  const others = ["@auth/core@0.41.3", "nodemailer@7"]
  const folder = check(`all packages install beside ${others.join(" and ")}`, () => {
    const empty = application(join(workplace, "beside-others"))
    install(empty, [...tarballs, ...others])
    return empty
  })
  if (!folder) return
  check("a link goes out through nodemailer 7", () => {
    const manifest = readFileSync(join(folder, "node_modules/nodemailer/package.json"), "utf8")
    assert.match(JSON.parse(manifest).version, /^7\./)
    node("mail.ts", folder)
  })
}

/** Gives the levels of what the doctor finds. */
function doctor(folder: string, file: string, status: 0 | 1): string[] {
  const answer = installed("latchkey", ["doctor", file, "--json"], { cwd: folder, status })
  const { findings }: { findings: { level: string }[] } = JSON.parse(answer)
  assert.ok(findings.length > 0, "The doctor looked at nothing.")
  return findings.map(({ level }) => level)
}

/** Gives what the check gives; undefined after a failure, which is told and counted. */
function check<Result>(name: string, run: () => Result): Result | undefined {
  checks += 1
  try {
    const result = run()
    console.log(`✓ ${name}`)
    return result
  } catch (error) {
    failures += 1
    console.error(`✗ ${name}\n${error instanceof Error ? error.message : error}`)
    return undefined
  }
}
