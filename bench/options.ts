/** How much is measured. */
export interface BenchOptions {
  readonly rounds: number
  /** How long each library does each work in a round, in milliseconds. */
  readonly slice: number
  /** How long it does so before the first round, in milliseconds. */
  readonly warmUp: number
  /** Distinct cookies and rows. */
  readonly many: number
  /** Writes what came of it; a look at whether everything still works does not. */
  readonly writes: boolean
}

const full: BenchOptions = { rounds: 7, slice: 250, warmUp: 1500, many: 10_000, writes: true }
const quick: BenchOptions = { rounds: 1, slice: 20, warmUp: 20, many: 20, writes: false }

const usage = `npm run bench              measures everything, and writes docs/performance.md and bench/results.json
npm run bench -- --quick   does everything once and looks at the answers; writes nothing`

/** @throws TypeError for what is no option */
export function readOptions(args: readonly string[]): BenchOptions {
  const unknown = args.find((each) => each !== "--quick")
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.\n\n${usage}`)
  return args.includes("--quick") ? quick : full
}
