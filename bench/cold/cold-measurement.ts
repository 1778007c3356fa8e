/** The measurements in fresh processes, and the libraries of each. */

/** The scenarios by id, in the order of the page. Each runs once in a process, and then the process ends. */
export const scenarioTitles = {
  import: "Import of the library",
  session: "Import, configuration, first session check",
  start: "Import, configuration, first start of an OAuth sign-in",
  bundledSession: "The first session check of a program in one file, as on AWS Lambda",
  bundledStart: "The first start of an OAuth sign-in of a program in one file",
} as const

export type ScenarioId = keyof typeof scenarioTitles

export const scenarioIds = Object.keys(scenarioTitles) as ScenarioId[] // the keys of `scenarioTitles`

/** The scenarios whose program is bundled with the library and all of its dependencies, into one minified file. */
export const bundledScenarioIds: readonly ScenarioId[] = ["bundledSession", "bundledStart"]

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
