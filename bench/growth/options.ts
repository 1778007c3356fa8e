/** How much is measured. */
export interface GrowthOptions {
  /** How many session rows there are, from the fewest to the most. */
  readonly sizes: readonly number[]
  readonly rounds: number
  /** How often each work is done in a round; dear ones less often. */
  readonly runs: number
  /** How long each size of the pool is kept busy in a round, in milliseconds. */
  readonly slice: number
  /** How many sessions are stored in Redis for each count that is tried. */
  readonly redis: readonly number[]
  /** Writes what came of it; a look at whether everything still works does not. */
  readonly writes: boolean
}

const full: GrowthOptions = {
  sizes: [10_000, 1_000_000, 10_000_000],
  rounds: 7,
  runs: 400,
  slice: 500,
  redis: [10_000, 1_000_000],
  writes: true,
}
const quick: GrowthOptions = {
  sizes: [3000, 6000],
  rounds: 2,
  runs: 10,
  slice: 50,
  redis: [100, 1000],
  writes: false,
}

const usage = `npm run bench:growth              measures everything, and writes docs/scaling.md and bench/growth/results.json
npm run bench:growth -- --quick   does everything once with few rows; writes nothing`

/** @throws TypeError for what is no option */
export function readOptions(args: readonly string[]): GrowthOptions {
  const unknown = args.find((each) => each !== "--quick")
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.\n\n${usage}`)
  return args.includes("--quick") ? quick : full
}
