/** The amount of measurements. */
export interface GrowthOptions {
  /** The numbers of session rows, in ascending order. */
  readonly sessionCounts: readonly number[]
  readonly rounds: number
  /** How often each workload runs in a round; expensive ones run less often. */
  readonly runs: number
  /** How long each pool size is kept busy in a round, in milliseconds. */
  readonly roundDuration: number
  /** The numbers of sessions that are stored in Redis. */
  readonly redisSessionCounts: readonly number[]
  /** Whether to write the results; a quick check does not. */
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
npm run bench:growth -- --quick   does everything once with few rows; writes nothing
npm run bench:growth -- process     measures sessions, records, revocations, providers and tenants in one process`

/** @throws TypeError for an unknown option */
export function parseOptions(args: readonly string[]): GrowthOptions {
  const unknown = args.find((each) => each !== "--quick")
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.\n\n${usage}`)
  return args.includes("--quick") ? quickOptions : fullOptions
}
