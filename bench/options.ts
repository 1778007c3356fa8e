/** The parts of the benchmark, each of which can be measured alone. */
const partNames = ["requests", "cold", "wrap", "busy", "frameworks", "load"] as const

export type PartName = (typeof partNames)[number]

/** Measured if no part is named. The others need databases, applications that are built first, or a busy machine. */
const defaultParts: readonly PartName[] = ["requests", "cold", "wrap"]

/** The options of a run: the measurements, and how long each takes. */
export interface BenchOptions {
  readonly parts: readonly PartName[]
  readonly rounds: number
  /** How long each library runs each workload in a round, in milliseconds. */
  readonly roundDuration: number
  /** The shortest warm-up of each workload before the first round, in milliseconds. */
  readonly warmUpDuration: number
  /** The same over HTTP, where a second holds a tenth of the requests, and too few to compile the code of a sign-in. */
  readonly httpWarmUpDuration: number
  /** How many workloads of a library share a process. */
  readonly worksPerProcess: number
  /** The number of distinct cookies and rows. */
  readonly sampleCount: number
  /** The number of fresh processes for each scenario of each library. */
  readonly processes: number
  /** How long one process, and then two at the same time, check sessions in a round, in milliseconds. */
  readonly scalingDuration: number
  /** How often requests that are passed on are measured, and the number of them in each round. */
  readonly wrapRounds: number
  readonly wrapRequests: number
  /** How often each application is measured under load, and how long with each number of connections, in seconds. */
  readonly loadRounds: number
  readonly loadDuration: number
  /** Whether to write the results; a quick check does not. */
  readonly writesResults: boolean
}

const fullOptions: Omit<BenchOptions, "parts"> = {
  rounds: 7,
  roundDuration: 250,
  warmUpDuration: 1000,
  httpWarmUpDuration: 2500,
  worksPerProcess: 1,
  sampleCount: 10_000,
  processes: 15,
  scalingDuration: 1000,
  wrapRounds: 21,
  wrapRequests: 20_000,
  loadRounds: 3,
  loadDuration: 5,
  writesResults: true,
}
const quickOptions: typeof fullOptions = {
  rounds: 1,
  roundDuration: 20,
  warmUpDuration: 20,
  httpWarmUpDuration: 20,
  worksPerProcess: Number.POSITIVE_INFINITY,
  sampleCount: 20,
  processes: 1,
  scalingDuration: 20,
  wrapRounds: 1,
  wrapRequests: 20,
  loadRounds: 1,
  loadDuration: 1,
  writesResults: false,
}

const usage = `npm run bench                 measures everything that needs no server, and writes docs/performance.md
npm run bench -- requests     measures only requests
npm run bench -- cold         measures only fresh processes and bundles
npm run bench -- wrap         measures only requests that @latchkey/fetch passes on
npm run bench -- busy         measures requests again, while other processes keep the machine busy
npm run bench -- frameworks   builds applications with SvelteKit, SolidStart, Qwik and Next.js, and measures their pages
npm run bench -- load         measures servers with PostgreSQL and Redis under load, and writes docs/scaling.md
npm run bench -- --quick      does everything once and looks at the answers; writes nothing`

/** @throws TypeError for an unknown option */
export function parseOptions(args: readonly string[]): BenchOptions {
  const names: readonly string[] = [...partNames, "--quick"]
  const unknown = args.find((each) => !names.includes(each))
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.\n\n${usage}`)
  const amount = args.includes("--quick") ? quickOptions : fullOptions
  const named = partNames.filter((each) => args.includes(each))
  return { ...amount, parts: named.length > 0 ? named : defaultParts }
}
