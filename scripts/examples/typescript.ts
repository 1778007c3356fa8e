/** Blocks of TypeScript, compiled and run against the built packages, as an application would. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { type Block, fileNameOf } from "./blocks.ts"

// Not below node_modules, where Node.js does not run TypeScript.
const FOLDER = ".cache/examples"

/** Compiles blocks; tells how many problems there were. What the compiler says goes to the terminal. */
export function compile(blocks: readonly Block[]): number {
  const { references } = JSON.parse(readFileSync("demo/tsconfig.json", "utf8"))
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const block of blocks) {
    const file = `${FOLDER}/${fileNameOf(block)}`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, block.code)
  }
  writeFileSync(`${FOLDER}/package.json`, JSON.stringify({ type: "module" }))
  const project = {
    extends: "../../tsconfig.check.json",
    compilerOptions: { incremental: false },
    include: ["."],
    references: references.map(({ path }: { path: string }) => ({ path: `../../demo/${path}` })),
  }
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(project))
  const command = ["node_modules/typescript/bin/tsc", "-b", FOLDER]
  return spawnSync(process.execPath, command, { stdio: "inherit" }).status === 0 ? 0 : 1
}

/** Runs a block that was compiled; what it complains of, or nothing. */
export function run(block: Block): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, [fileNameOf(block)], {
    cwd: FOLDER,
    encoding: "utf8",
    timeout: 60_000,
  })
  return status === 0 ? undefined : `exit status ${status}\n${stderr}`
}
