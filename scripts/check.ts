/**
 * `npm run check`: all checks but the tests, in two sequences side by side. `npm run check -- arch unused` runs those that
 * are named; options go to them: `npm run check -- budgets --write`.
 *
 * A check whose output does not show that it saw something fails, because a check without input would otherwise pass.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"

interface Check {
  readonly command: readonly string[]
  /** The line of its output that shows that it did its work. */
  readonly evidence: RegExp
  /** Runs only by its name: it needs reports of tests, or runs them. */
  readonly runsByName?: true
}

const source = "--conditions=@latchkey/source"

/** Checks of a sequence run one after the other. `unused` adds a file for a moment, which `lint` must not see. */
const sequences: readonly Readonly<Record<string, Check>>[] = [
  {
    lint: {
      command: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
      evidence: /Checked [1-9]\d* files/,
    },
    arch: {
      command: ["scripts/arch.ts"],
      evidence: /architecture: [1-9]\d* modules .* 0 problems/,
    },
    unused: { command: ["scripts/unused.ts"], evidence: /unused: 0 problems/ },
    budgets: { command: ["scripts/budgets.ts"], evidence: /budgets: [1-9]\d* figures, 0 problems/ },
    security: {
      command: ["scripts/security.ts"],
      evidence: /security: [1-9]\d* cases, .* 0 problems/,
      runsByName: true,
    },
    adapters: {
      command: [source, "scripts/adapter-table.ts"],
      evidence: /suite (is|was) current|suite written/,
      runsByName: true,
    },
  },
  {
    build: { command: ["scripts/build.ts"], evidence: /build: up to date/ },
    types: {
      command: ["scripts/type-budget.ts"],
      evidence: /types: [1-9]\d* instantiations .*, 0 problems/,
    },
    size: { command: ["scripts/size.ts"], evidence: /size: [1-9]\d* entries, 0 problems/ },
    "code-blocks": {
      command: ["scripts/check-code-blocks.ts"],
      evidence: /code blocks: [1-9]\d* blocks, .* 0 problems/,
    },
    publishable: {
      command: ["scripts/publishable.ts"],
      evidence: /publishable: [1-9]\d* packages, 0 problems/,
    },
    installable: {
      command: ["scripts/installable.ts"],
      evidence: /installable: [1-9]\d* checks, 0 problems/,
    },
    // Last, because it builds again from nothing.
    "supply-chain": {
      command: ["scripts/supply-chain.ts"],
      evidence: /supply chain: [1-9]\d* checks, 0 problems/,
    },
  },
]

const args = process.argv.slice(2)
const known = sequences.flatMap((sequence) => Object.keys(sequence))
const firstOption = args.findIndex((argument) => !known.includes(argument))
const names = firstOption === -1 ? args : args.slice(0, firstOption)
const options = args.slice(names.length)
if (names.length !== 1 && options.length > 0) {
  console.error(`There is no check ${options[0]}, but: ${known.join(", ")}`)
  process.exit(1)
}

let failureCount = 0
const counts = await Promise.all(sequences.map(runSequence))
const checkCount = counts.reduce((sum, count) => sum + count, 0)
console.log(`check: ${checkCount - failureCount} passed, ${failureCount} failed`)
process.exitCode = failureCount > 0 || checkCount === 0 ? 1 : 0

/** Runs the named checks of a sequence, or all, and returns how many. The build precedes what looks at it. */
async function runSequence(sequence: Readonly<Record<string, Check>>): Promise<number> {
  const isSelected = ([name, { runsByName }]: readonly [string, Check]) =>
    names.length === 0 ? !runsByName : names.includes(name)
  const selected = new Map(Object.entries(sequence).filter(isSelected))
  const { build } = sequence
  const all = build && selected.size > 0 ? new Map([["build", build], ...selected]) : selected
  for (const [name, check] of all) await runCheck(name, check)
  return all.size
}

async function runCheck(name: string, { command, evidence }: Check): Promise<void> {
  const start = performance.now()
  const { status, output } = await runNode([...command, ...(name === names[0] ? options : [])])
  const seconds = Math.round((performance.now() - start) / 1000)
  const proof = output.split("\n").findLast((line) => evidence.test(line))
  if (status === 0 && proof !== undefined) {
    if (names.length === 1 && name === names[0]) process.stdout.write(output)
    console.log(`✓ ${name} (${seconds} s) ${proof.slice(0, 120)}`)
    return
  }
  failureCount += 1
  const reason = status === 0 ? `nothing in its output matches ${evidence}` : `status ${status}`
  console.log(`${output}✗ ${name} (${seconds} s) ${reason}`)
}

async function runNode(
  command: readonly string[],
): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  const [status] = await once(child, "close")
  return { status, output }
}
