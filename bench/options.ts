/** The options of a run: the measurements, and how long each takes. */
export interface BenchOptions {
  /** The measurements: all, only fresh processes and bundles, or only requests that are passed on. */
  readonly part: "all" | "cold" | "wrap"
  readonly rounds: number
  /** How long each library runs each workload in a round, in milliseconds. */
  readonly roundDuration: number
  /** The warm-up of each workload before the first round, in milliseconds. */
  readonly warmUpDuration: number
  /** The same over HTTP, where a second holds a tenth of the requests, and too few to compile the code of a sign-in. */
  readonly httpWarmUpDuration: number
  /** The number of distinct cookies and rows. */
  readonly sampleCount: number
  /** The number of fresh processes for each scenario of each library. */
  readonly processes: number
  /** How long one process, and then two at the same time, check sessions in a round, in milliseconds. */
  readonly scalingDuration: number
  /** How often requests that are passed on are measured, and the number of them in each round. */
  readonly wrapRounds: number
  readonly wrapRequests: number
  /** Whether to write the results; a quick check does not. */
  readonly writesResults: boolean
}

const fullOptions: Omit<BenchOptions, "part"> = {
  rounds: 7,
  roundDuration: 250,
  warmUpDuration: 1000,
  httpWarmUpDuration: 4000,
  sampleCount: 10_000,
  processes: 15,
  scalingDuration: 1000,
  wrapRounds: 21,
  wrapRequests: 20_000,
  writesResults: true,
}
const quickOptions: typeof fullOptions = {
  rounds: 1,
  roundDuration: 20,
  warmUpDuration: 20,
  httpWarmUpDuration: 20,
  sampleCount: 20,
  processes: 1,
  scalingDuration: 20,
  wrapRounds: 1,
  wrapRequests: 20,
  writesResults: false,
}

const usage = `npm run bench              measures everything, and writes docs/performance.md and bench/results.json
npm run bench -- cold      measures only fresh processes and bundles, and writes docs/performance.md
npm run bench -- wrap      measures only requests that @latchkey/fetch passes on, and writes docs/performance.md
npm run bench -- --quick   does everything once and looks at the answers; writes nothing`

const parts = ["cold", "wrap"] as const

/** @throws TypeError for an unknown option */
export function parseOptions(args: readonly string[]): BenchOptions {
  const unknown = args.find((each) => ![...parts, "--quick"].includes(each))
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.\n\n${usage}`)
  const amount = args.includes("--quick") ? quickOptions : fullOptions
  return { ...amount, part: parts.find((each) => args.includes(each)) ?? "all" }
}
