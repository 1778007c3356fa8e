/** The measurements in fresh processes, and the libraries of each. */

/** A task that a fresh process runs once. */
interface Scenario {
  readonly title: string
  /** The request that is answered after import and configuration; none if the library is only imported. */
  readonly request?: "session" | "start"
  /** Whether the program is bundled and minified with everything it imports: into one file, or several. */
  readonly bundle?: "one-file" | "several-files"
}

const scenarioTable = {
  import: { title: "Import of the library" },
  session: { title: "Import, configuration, first session check", request: "session" },
  start: { title: "Import, configuration, first start of an OAuth sign-in", request: "start" },
  bundledSession: {
    title: "Bundled into one file: first session check",
    request: "session",
    bundle: "one-file",
  },
  bundledStart: {
    title: "Bundled into one file: first start of an OAuth sign-in",
    request: "start",
    bundle: "one-file",
  },
  splitSession: {
    title: "Bundled with code splitting: first session check",
    request: "session",
    bundle: "several-files",
  },
  splitStart: {
    title: "Bundled with code splitting: first start of an OAuth sign-in",
    request: "start",
    bundle: "several-files",
  },
} as const satisfies Record<string, Scenario>

export type ScenarioId = keyof typeof scenarioTable

/** The scenarios by id, in the order of the page. */
export const scenarios: Readonly<Record<ScenarioId, Scenario>> = scenarioTable

export const scenarioIds = Object.keys(scenarios) as ScenarioId[] // the keys of `scenarios`

/**
 * The scenarios of each library, and of the same process without one. Sessions of express-session are on the server, so
 * that a fresh process cannot know any, and openid-client fetches the documents of a provider before it can start a
 * sign-in.
 */
export const scenariosBySubject = {
  empty: scenarioIds,
  latchkey: scenarioIds,
  reference: scenarioIds,
  better: scenarioIds,
  passport: ["import"],
} as const satisfies Record<string, readonly ScenarioId[]>

export type ColdSubjectId = keyof typeof scenariosBySubject

export const coldSubjectIds = Object.keys(scenariosBySubject) as ColdSubjectId[] // the keys above

/** One process. */
export interface ColdMeasurement {
  /** Milliseconds from the first line of the program to the end of the scenario. */
  readonly elapsed: number
  /** Milliseconds of processor time of all threads in the same period. */
  readonly cpu: number
  /** The resident memory of the process at the end of the scenario, in bytes. */
  readonly memory: number
  /** The JavaScript heap in use at the end of the scenario, in bytes, without a garbage collection before. */
  readonly heap: number
}

/** Measurements by scenario and subject, one for each round. */
export type ColdRounds = Readonly<
  Partial<Record<ScenarioId, Readonly<Partial<Record<ColdSubjectId, readonly ColdMeasurement[]>>>>>
>
