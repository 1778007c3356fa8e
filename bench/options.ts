/** How much is measured. */
export interface BenchOptions {
  readonly rounds: number
  /** How long each library does each work in a round, in milliseconds. */
  readonly roundDuration: number
  /** How long it does so before the first round, in milliseconds. */
  readonly warmUpDuration: number
  /** Distinct cookies and rows. */
  readonly sampleCount: number
  /** Writes what came of it; a look at whether everything still works does not. */
  readonly writesResults: boolean
}

const fullOptions: BenchOptions = {
  rounds: 7,
  roundDuration: 250,
  warmUpDuration: 1500,
  sampleCount: 10_000,
  writesResults: true,
}
const quickOptions: BenchOptions = {
  rounds: 1,
  roundDuration: 20,
  warmUpDuration: 20,
  sampleCount: 20,
  writesResults: false,
}

const usage = `npm run bench              measures everything, and writes docs/performance.md and bench/results.json
npm run bench -- --quick   does everything once and looks at the answers; writes nothing`

/** @throws TypeError for what is no option */
export function parseOptions(args: readonly string[]): BenchOptions {
  const unknown = args.find((each) => each !== "--quick")
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.\n\n${usage}`)
  return args.includes("--quick") ? quickOptions : fullOptions
}
