/** Blocks of TypeScript, compiled and run against the built packages, as an application would. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { blockFileName, type CodeBlock } from "./blocks.ts"

// Not below node_modules, where Node.js does not run TypeScript.
const FOLDER = ".cache/examples"

/** Compiles blocks; tells how many problems there were. What the compiler says goes to the terminal. */
export function compileBlocks(blocks: readonly CodeBlock[]): number {
  const { references } = JSON.parse(readFileSync("demo/tsconfig.json", "utf8"))
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const block of blocks) {
    const file = `${FOLDER}/${blockFileName(block)}`
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
export function runBlock(block: CodeBlock): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, [blockFileName(block)], {
    cwd: FOLDER,
    encoding: "utf8",
    timeout: 60_000,
  })
  return status === 0 ? undefined : `exit status ${status}\n${stderr}`
}
