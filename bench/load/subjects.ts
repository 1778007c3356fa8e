/** The applications under load, for programs that must not load the libraries themselves. */

/** By id, in the order of the table. Those with the same store are compared. */
export const loadSubjects = {
  latchkeyPostgres: { title: "Latchkey", store: "PostgreSQL" },
  passportPostgres: { title: "express-session with connect-pg-simple", store: "PostgreSQL" },
  passportPostgresRead: { title: "… with `disableTouch`", store: "PostgreSQL" },
  latchkeyRedis: { title: "Latchkey", store: "Redis" },
  passportRedis: { title: "express-session with connect-redis", store: "Redis" },
  passportRedisRead: { title: "… with `disableTouch`", store: "Redis" },
} as const

export type LoadSubjectId = keyof typeof loadSubjects

export const loadSubjectIds = Object.keys(loadSubjects) as LoadSubjectId[] // the keys of `loadSubjects`

/** The numbers of connections and of processes. */
export const connectionCounts = [64, 1000] as const
export const processCounts = [1, 2] as const

/** The path of the page that checks the session. */
export const pagePath = "/me"

/** The addresses of the databases. */
export interface LoadStores {
  readonly postgresUrl: string
  readonly redisUrl: string
}

/** The environment variable with the addresses, which contain passwords and are no arguments for that reason. */
export const storesVariable = "LATCHKEY_LOAD_STORES"

/** One application with a number of processes and connections, in one round. */
export interface LoadMeasurement {
  readonly subject: LoadSubjectId
  readonly processes: number
  readonly connections: number
  /** Responses per second. */
  readonly perSecond: number
  /** The latency of a response, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Requests without a response, and responses that do not show the user. */
  readonly errors: number
  /** The resident memory of the processes together, in bytes. */
  readonly memory: number
}
