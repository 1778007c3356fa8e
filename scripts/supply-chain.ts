/**
 * Checks what users install, from packed packages: `npm run check -- supply-chain [--sbom <file>]`.
 *
 * - Building and packing twice gives the same bytes, so that anyone can check a release against its source.
 * - Each package brings exactly the packages of `scripts/runtime-dependencies.json`, its own peers aside.
 * - None of them has an install script.
 *
 * `--sbom` writes the bill of materials (CycloneDX) of all packages.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { runCommand } from "./installable/command.ts"
import { packPackages } from "./installable/packages.ts"
import { readPublishedPackages } from "./published-packages.ts"

/** The part of a CycloneDX document that is read here. */
interface BillOfMaterials {
  readonly components: readonly { readonly "bom-ref": string; readonly name: string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const folder = mkdtempSync(join(tmpdir(), "supply-chain-"))
const problems: string[] = []
let checkCount = 0
try {
  const tarballs = packPackages(join(folder, "first"))
  compareBuilds(tarballs)
  checkDependencies(createBillOfMaterials(tarballs))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.error(`✗ ${problem}`)
console.log(`supply chain: ${checkCount} checks, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

function check(isRight: boolean, problem: string): void {
  checkCount += 1
  if (!isRight) problems.push(problem)
}

function compareBuilds(tarballs: readonly string[]): void {
  for (const { folder: source } of readPublishedPackages())
    rmSync(join(source, "dist"), { recursive: true, force: true })
  execFileSync("npm", ["run", "-s", "build"], { stdio: ["ignore", "ignore", "inherit"] })
  const rebuilt = packPackages(join(folder, "second"))
  for (const [index, tarball] of tarballs.entries()) {
    const other = rebuilt[index]
    const isSame = other !== undefined && hashFile(tarball) === hashFile(other)
    check(isSame, `${basename(tarball)}: building and packing it again gave other bytes`)
  }
}

function hashFile(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex")
}

/** Installs the tarballs without their peers, which the application chooses, and asks npm what is there. */
function createBillOfMaterials(tarballs: readonly string[]): BillOfMaterials {
  const cwd = mkdtempSync(join(folder, "application-"))
  const manifest = { name: "application", version: "0.0.0", private: true }
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest))
  const flags = ["--legacy-peer-deps", "--ignore-scripts", "--prefer-offline", "--no-audit"]
  runCommand("npm", ["install", ...flags, ...tarballs], { cwd })
  const text = runCommand("npm", ["sbom", "--sbom-format=cyclonedx", "--legacy-peer-deps"], { cwd })
  const target = process.argv[process.argv.indexOf("--sbom") + 1]
  if (process.argv.includes("--sbom") && target) {
    writeFileSync(join(folder, "sbom.json"), text)
    copyFileSync(join(folder, "sbom.json"), target)
  }
  for (const [path, { hasInstallScript }] of readInstalledPackages(cwd))
    check(!hasInstallScript, `${path} runs a script when it is installed`)
  return JSON.parse(text)
}

function readInstalledPackages(cwd: string): [string, { hasInstallScript?: boolean }][] {
  const lock = JSON.parse(readFileSync(join(cwd, "package-lock.json"), "utf8"))
  return Object.entries(lock.packages)
}

function checkDependencies({ components, dependencies }: BillOfMaterials): void {
  const names = new Map(components.map((component) => [component["bom-ref"], component.name]))
  const edges = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const file = "scripts/runtime-dependencies.json"
  const expected: Record<string, string[]> = JSON.parse(readFileSync(file, "utf8"))
  for (const { name } of readPublishedPackages()) {
    const root = components.find((component) => component.name === name)?.["bom-ref"] ?? ""
    const found = collectNames(root, edges, names).filter((each) => !each.startsWith("@latchkey/"))
    const [now, agreed] = [found.sort(), expected[name] ?? []].map((list) => list.join(", "))
    check(now === agreed, `${name} brings ${now || "nothing"}; ${file} says ${agreed || "nothing"}`)
  }
}

/** Returns the names of the packages that a package brings, directly or not. */
function collectNames(
  root: string,
  edges: ReadonlyMap<string, readonly string[]>,
  names: ReadonlyMap<string, string>,
): string[] {
  const reached = new Set<string>()
  const queue = [root]
  for (let ref = queue.pop(); ref !== undefined; ref = queue.pop()) {
    const next = (edges.get(ref) ?? []).filter((each) => !reached.has(each))
    for (const each of next) reached.add(each)
    queue.push(...next)
  }
  return [...reached].map((ref) => names.get(ref) ?? ref)
}
