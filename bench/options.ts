/** The amount of measurements. */
export interface BenchOptions {
  readonly rounds: number
  /** How long each library runs each workload in a round, in milliseconds. */
  readonly roundDuration: number
  /** The warm-up before the first round, in milliseconds. */
  readonly warmUpDuration: number
  /** The number of distinct cookies and rows. */
  readonly sampleCount: number
  /** Whether to write the results; a quick check does not. */
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

/** @throws TypeError for an unknown option */
export function parseOptions(args: readonly string[]): BenchOptions {
  const unknown = args.find((each) => each !== "--quick")
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.\n\n${usage}`)
  return args.includes("--quick") ? quickOptions : fullOptions
}
