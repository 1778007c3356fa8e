/** How much is measured. */
export interface GrowthOptions {
  /** How many session rows there are, from the fewest to the most. */
  readonly sessionCounts: readonly number[]
  readonly rounds: number
  /** How often each work is done in a round; dear ones less often. */
  readonly runs: number
  /** How long each size of the pool is kept busy in a round, in milliseconds. */
  readonly roundDuration: number
  /** How many sessions are stored in Redis for each count that is tried. */
  readonly redisSessionCounts: readonly number[]
  /** Writes what came of it; a look at whether everything still works does not. */
  readonly writesResults: boolean
}

const fullOptions: GrowthOptions = {
  sessionCounts: [10_000, 1_000_000, 10_000_000],
  rounds: 7,
  runs: 400,
  roundDuration: 500,
  redisSessionCounts: [10_000, 1_000_000],
  writesResults: true,
}
const quickOptions: GrowthOptions = {
  sessionCounts: [3000, 6000],
  rounds: 2,
  runs: 10,
  roundDuration: 50,
  redisSessionCounts: [100, 1000],
  writesResults: false,
}

const usage = `npm run bench:growth              measures everything, and writes docs/scaling.md and bench/growth/results.json
npm run bench:growth -- --quick   does everything once with few rows; writes nothing`

/** @throws TypeError for what is no option */
export function parseOptions(args: readonly string[]): GrowthOptions {
  const unknown = args.find((each) => each !== "--quick")
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.\n\n${usage}`)
  return args.includes("--quick") ? quickOptions : fullOptions
}
