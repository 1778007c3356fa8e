/** Compiles TypeScript blocks against the built packages, and runs them, as an application does. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { blockFileName, type CodeBlock } from "./blocks.ts"

// Not below node_modules, where Node.js does not run TypeScript.
const FOLDER = ".cache/examples"

/** Compiles blocks, prints the diagnostics, and returns the number of problems. */
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
    compilerOptions: { incremental: false, jsx: "react-jsx" },
    include: ["."],
    references: references.map(({ path }: { path: string }) => ({ path: `../../demo/${path}` })),
  }
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(project))
  const command = ["node_modules/@typescript/native/bin/tsc", "-b", FOLDER]
  return spawnSync(process.execPath, command, { stdio: "inherit" }).status === 0 ? 0 : 1
}

/** Runs a compiled block. Returns its error output, or undefined if it succeeds. */
export function runBlock(block: CodeBlock): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, [blockFileName(block)], {
    cwd: FOLDER,
    encoding: "utf8",
    timeout: 60_000,
  })
  return status === 0 ? undefined : `exit status ${status}\n${stderr}`
}
