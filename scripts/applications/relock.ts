/**
 * `node scripts/applications/relock.ts [name…]`: makes the lock files of applications anew. Those of our own packages
 * carry no checksum, because each packing makes other tarballs.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Application, applications, foldersOf } from "./catalogue.ts"
import { run } from "./command.ts"
import { lay, layered } from "./files.ts"
import { tarballs } from "./packed.ts"

const manifests = new Set(["package.json", ".npmrc"])
const wanted = process.argv.slice(2)
const chosen = applications.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
if (chosen.length < wanted.length) {
  throw new Error(
    `No such applications: ${wanted.join(" ")}. There are ${applications.map(({ name }) => name).join(" ")}.`,
  )
}
for (const application of chosen) await relock(application)

async function relock(application: Application): Promise<void> {
  const [home = ""] = foldersOf(application).toReversed()
  const bench = mkdtempSync(join("node_modules", ".relock-"))
  try {
    const folder = join(bench, application.name)
    const files = layered(foldersOf(application))
    lay(new Map([...files].filter(([path]) => manifests.has(path))), folder)
    const path = join(folder, "package-lock.json")
    // What it says of others stays, unless the manifest says otherwise. Of our own packages it says too much.
    if (existsSync(join(home, "package-lock.json"))) {
      write(
        path,
        read(join(home, "package-lock.json")),
        ([place]) => !place.includes("/@latchkey/"),
      )
    }
    symlinkSync(tarballs.folder, join(bench, "packed"))
    await run("npm", ["install", "--package-lock-only", "--ignore-scripts"], { cwd: folder })
    const lock = read(path)
    for (const entry of Object.values(lock.packages)) {
      if (entry.resolved?.startsWith("file:")) delete entry.integrity
    }
    write(join(home, "package-lock.json"), lock)
    console.log(`${home}/package-lock.json`)
  } finally {
    rmSync(bench, { recursive: true, force: true })
  }
}

/** A lock file, as far as it matters here. */
interface Lock {
  readonly packages: Record<string, { resolved?: string; integrity?: string }>
}

function read(path: string): Lock {
  return JSON.parse(readFileSync(path, "utf8"))
}

function write(path: string, lock: Lock, keep: (entry: [string, unknown]) => boolean = () => true) {
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(keep))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`)
}
