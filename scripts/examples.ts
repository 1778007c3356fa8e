/**
 * Holds every code block of the Markdown files to what it says: TypeScript is compiled against the packages'
 * declarations ("ts", or "ts auth.ts" for a file of that name) and also run ("ts run"), SQL is run, JSON and variables
 * are parsed, commands have to exist, and what shows a file of an example ("svelte file=examples/…") has to stand there.
 */
import { type Block, blocks, isTypeScript } from "./examples/blocks.ts"
import { excerptProblem, shownFile } from "./examples/excerpts.ts"
import { checks } from "./examples/others.ts"
import { compile, run } from "./examples/typescript.ts"

const all = blocks()
const typescript = all.filter(isTypeScript)
let problems = compile(typescript)

for (const block of all) {
  const problem = await problemOf(block)
  if (problem === undefined) continue
  problems += 1
  console.error(`✗ ${block.file}:${block.line}: ${problem}`)
}
console.log(`examples: ${all.length} blocks, ${typescript.length} compiled, ${problems} problems`)
process.exitCode = problems === 0 && typescript.length > 0 ? 0 : 1

async function problemOf(block: Block): Promise<string | undefined> {
  if (block.kind === "ts run") return run(block)
  if (isTypeScript(block)) return undefined
  const file = shownFile(block)
  if (file !== undefined) return excerptProblem(block, file)
  const check = checks[block.kind]
  if (!check) return `nobody checks blocks of the kind "${block.kind}"`
  try {
    return await check(block.code)
  } catch (error) {
    return String(error)
  }
}
