/** The figures that have a budget in each workload. */

/** The titles of the figures by id. */
export const figureTitles = {
  promises: "promises, with one for each `await`",
  poolJobs: "jobs of the thread pool",
  timers: "timers",
  hashes: "hashes and HMACs",
  ciphers: "encryptions and decryptions",
  signatures: "signatures made or verified",
  keys: "keys imported or derived",
  requests: "`Request` objects",
  responses: "`Response` objects",
  headers: "`Headers` objects",
  urls: "URLs parsed",
  searchParams: "`URLSearchParams` objects",
  textCoders: "`TextEncoder` and `TextDecoder` objects",
  streams: "`ReadableStream` objects",
  abortControllers: "`AbortController` objects",
  json: "JSON texts parsed or serialised",
  sqlPrepares: "SQL statements prepared",
  sqlStatements: "SQL statements run",
  fetches: "requests to the provider",
  bytes: "bytes allocated by JavaScript",
} as const

export type FigureId = keyof typeof figureTitles

/** Every figure, in the order of reports. */
export const figureIds: readonly FigureId[] = Object.keys(figureTitles) as FigureId[] // its own keys

/** Figures of one operation. A missing one is 0. */
export type Figures = Readonly<Partial<Record<FigureId, number>>>

/** The figures of each workload, by its id. */
export type WorkloadFigures = Readonly<Record<string, Figures>>
