/**
 * Holds every code block of the Markdown files to what it says: TypeScript is compiled against the packages'
 * declarations ("ts", or "ts auth.ts" for a file of that name) and also run ("ts run"), SQL is run, JSON and variables
 * are parsed, commands have to exist, and what shows a file of an example ("svelte file=examples/…") has to stand
 * there. Each pool of a database has a listener for its errors. `npm test -- --project examples` follows the quick starts.
 */

import { quickStartPages, readQuickStartBlocks } from "./applications/quick-starts/quick-start.ts"
import { blockChecks } from "./code-blocks/block-checks.ts"
import { type CodeBlock, isTypeScript, readCodeBlocks } from "./code-blocks/blocks.ts"
import { excerptFile, findExcerptProblem } from "./code-blocks/excerpts.ts"
import { compileBlocks, runBlock } from "./code-blocks/typescript.ts"

const allBlocks = readCodeBlocks()
const steps = new Set(quickStartPages.flatMap(readQuickStartBlocks).map(describePlace))
const typescript = allBlocks.filter(isTypeScript)
let problemCount = compileBlocks(typescript)

for (const block of allBlocks) {
  const problem = await findProblem(block)
  if (problem === undefined) continue
  problemCount += 1
  console.error(`✗ ${describePlace(block)}: ${problem}`)
}
console.log(
  `code blocks: ${allBlocks.length} blocks, ${typescript.length} compiled, ${problemCount} problems`,
)
process.exitCode = problemCount === 0 && typescript.length > 0 ? 0 : 1

async function findProblem(block: CodeBlock): Promise<string | undefined> {
  if (/new Pool\(/.test(block.code) && !block.code.includes('.on("error"'))
    return 'nobody listens to the "error" of the pool, so a lost connection ends the process'
  if (block.kind === "ts run") return runBlock(block)
  if (isTypeScript(block) || steps.has(describePlace(block))) return undefined
  const file = excerptFile(block)
  if (file !== undefined) return findExcerptProblem(block, file)
  const check = blockChecks[block.kind]
  if (!check) return `nobody checks blocks of the kind "${block.kind}"`
  try {
    return await check(block.code)
  } catch (error) {
    return String(error)
  }
}

function describePlace({ file, line }: CodeBlock): string {
  return `${file}:${line}`
}
