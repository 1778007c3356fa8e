/**
 * `npm run check`: all checks but the tests, in two sequences side by side. `npm run check -- arch unused` runs those that
 * are named; options go to them: `npm run check -- budgets --write`.
 *
 * A check whose output does not show that it saw something fails, because a check without input would otherwise pass.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"

interface Check {
  /** The script of Node.js, or npm's, and its arguments. */
  readonly command: readonly string[]
  /** The line of its output that shows that it did its work. */
  readonly evidence: RegExp
  /** Whether it looks at `dist`. */
  readonly needsBuild?: true
  /** Runs only by its name: it needs reports of tests, or runs them. */
  readonly runsByName?: true
}

/** Checks by their names. They run one after the other. */
type Sequence = Readonly<Record<string, Check>>

const build: Sequence = {
  build: { command: ["scripts/build.ts"], evidence: /build: up to date/ },
}

/** Sequences that run at the same time. `unused` adds a file for a moment, which `lint` must not see. */
const sideBySide: readonly Sequence[] = [
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
    bench: {
      command: ["npm", "run", "-s", "bench", "--", "--quick"],
      evidence: /bench: [1-9]/,
      needsBuild: true,
    },
    site: {
      command: ["npm", "run", "-s", "docs:build"],
      evidence: /site: [1-9]\d* pages, [1-9]\d* links, 0 problems/,
    },
    security: {
      command: ["scripts/security.ts"],
      evidence: /security: [1-9]\d* cases, .* 0 problems/,
      runsByName: true,
    },
    adapters: {
      command: ["--conditions=@latchkey/source", "scripts/adapter-table.ts"],
      evidence: /suite (is|was) current|suite written/,
      runsByName: true,
    },
    behaviours: {
      command: ["scripts/fetch-behaviours.ts"],
      evidence: /behaviours (is|was) current|behaviours written/,
      runsByName: true,
    },
  },
  {
    types: {
      command: ["scripts/type-budget.ts"],
      evidence: /types: [1-9]\d* instantiations .*, 0 problems/,
      needsBuild: true,
    },
    size: {
      command: ["scripts/size.ts"],
      evidence: /size: [1-9]\d* entries, 0 problems/,
      needsBuild: true,
    },
    "code-blocks": {
      command: ["scripts/check-code-blocks.ts"],
      evidence: /code blocks: [1-9]\d* blocks, .* 0 problems/,
      needsBuild: true,
    },
    api: {
      command: ["--conditions=@latchkey/source", "scripts/api-report.ts", "--check"],
      evidence: /api: [1-9]\d* reports, 0 problems/,
      needsBuild: true,
    },
    publishable: {
      command: ["scripts/publishable.ts"],
      evidence: /publishable: [1-9]\d* packages, 0 problems/,
      needsBuild: true,
    },
    installable: {
      command: ["scripts/installable.ts"],
      evidence: /installable: [1-9]\d* checks, 0 problems/,
      needsBuild: true,
    },
  },
]

/** Runs alone, because it removes `dist` and builds again. */
const supplyChain: Sequence = {
  "supply-chain": {
    command: ["scripts/supply-chain.ts"],
    evidence: /supply chain: [1-9]\d* checks, 0 problems/,
    needsBuild: true,
  },
}

const checks: Sequence = Object.assign({}, build, ...sideBySide, supplyChain)
/** A check that takes longer hangs, in milliseconds. */
const maxDuration = 900_000

const args = process.argv.slice(2)
const firstOption = args.findIndex((argument) => !Object.hasOwn(checks, argument))
const names = firstOption === -1 ? args : args.slice(0, firstOption)
const options = args.slice(names.length)
if (names.length !== 1 && options.length > 0) {
  console.error(`There is no check ${options[0]}, but: ${Object.keys(checks).join(", ")}`)
  process.exit(1)
}

let passedCount = 0
let failureCount = 0
if (Object.entries(checks).some((entry) => isSelected(entry) && entry[1].needsBuild))
  await runSequence(build, () => true)
else await runSequence(build)
// Without a build, other checks would complain about something else.
if (failureCount === 0) {
  await Promise.all(sideBySide.map((sequence) => runSequence(sequence)))
  await runSequence(supplyChain)
}
console.log(`check: ${passedCount} passed, ${failureCount} failed`)
process.exitCode = failureCount > 0 || passedCount === 0 ? 1 : 0

function isSelected([name, { runsByName }]: readonly [string, Check]): boolean {
  return names.length === 0 ? !runsByName : names.includes(name)
}

async function runSequence(sequence: Sequence, select = isSelected): Promise<void> {
  for (const [name, check] of Object.entries(sequence).filter(select)) await runCheck(name, check)
}

async function runCheck(name: string, { command, evidence }: Check): Promise<void> {
  const start = performance.now()
  const { status, output } = await run([...command, ...(name === names[0] ? options : [])])
  const seconds = Math.round((performance.now() - start) / 1000)
  const proof = output.split("\n").findLast((line) => evidence.test(line))
  if (status === 0 && proof !== undefined) {
    passedCount += 1
    if (names.length === 1 && name === names[0]) process.stdout.write(output)
    console.log(`✓ ${name} (${seconds} s) ${proof.slice(0, 120)}`)
    return
  }
  failureCount += 1
  const reason = status === 0 ? `nothing in its output matches ${evidence}` : `status ${status}`
  console.log(`${output}✗ ${name} (${seconds} s) ${reason}`)
}

async function run(command: readonly string[]): Promise<{ status: number | null; output: string }> {
  const [program, ...args] = command[0] === "npm" ? command : [process.execPath, ...command]
  const child = spawn(program ?? "", args, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: maxDuration,
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  const [status] = await once(child, "close")
  return { status, output }
}
