/** The dimensions in which one process may grow, with the measurements of each. */

/** A dimension of growth. */
export type Dimension = "sessions" | "records" | "revocations" | "providers" | "tenants"

/** How a value grows with the number. */
type GrowthLaw = "constant" | "logarithmic" | "linear"

interface Measure {
  readonly title: string
  readonly unit: "µs" | "ms" | "KB"
  readonly law: GrowthLaw
}

/** The measures of each dimension by id, in the order of the tables. */
export const measures: Readonly<Record<Dimension, Readonly<Record<string, Measure>>>> = {
  sessions: {
    check: { title: "session check, `auth.getSession`", unit: "µs", law: "logarithmic" },
    signIn: { title: "the session of a sign-in, `createSession`", unit: "µs", law: "logarithmic" },
    signOut: { title: "sign-out, `deleteSession`", unit: "µs", law: "logarithmic" },
    sweep: { title: "deleting 1000 expired rows, each", unit: "µs", law: "logarithmic" },
  },
  records: {
    check: { title: "session check, `auth.getSession`", unit: "µs", law: "constant" },
    list: { title: "the sessions of a user, `auth.sessions.list`", unit: "µs", law: "logarithmic" },
    revoke: { title: "`auth.sessions.revoke`", unit: "µs", law: "logarithmic" },
    revokeAll: { title: "`auth.sessions.revokeAll`", unit: "µs", law: "logarithmic" },
    signIn: { title: "sign-in with a password", unit: "µs", law: "logarithmic" },
  },
  revocations: {
    firstCheck: { title: "first session check of a process", unit: "ms", law: "linear" },
    check: { title: "session check, `auth.getSession`", unit: "µs", law: "constant" },
    revoke: { title: "`auth.sessions.revoke`", unit: "µs", law: "logarithmic" },
    memory: { title: "memory of the list", unit: "KB", law: "linear" },
  },
  providers: {
    check: { title: "session check, `auth.getSession`", unit: "µs", law: "constant" },
    authCheck: { title: "session check, `Auth(request, config)`", unit: "µs", law: "linear" },
    start: { title: "start of a sign-in", unit: "µs", law: "constant" },
    callback: { title: "OIDC callback", unit: "µs", law: "constant" },
    page: { title: "sign-in page, which lists all", unit: "µs", law: "linear" },
    create: { title: "`createAuth`", unit: "µs", law: "linear" },
    memory: { title: "memory of the configuration", unit: "KB", law: "linear" },
  },
  tenants: {
    create: { title: "`createAuth` for one more", unit: "µs", law: "constant" },
    firstCheck: { title: "its first session check", unit: "µs", law: "constant" },
    check: { title: "session check, by turns", unit: "µs", law: "constant" },
    authCheck: { title: "`Auth(request, config)`, by turns", unit: "µs", law: "constant" },
    freshCheck: { title: "`Auth` with a new object per request", unit: "µs", law: "constant" },
    created: { title: "its memory", unit: "KB", law: "constant" },
    checked: { title: "… after a session check", unit: "KB", law: "constant" },
    rendered: { title: "… after a sign-in page", unit: "KB", law: "constant" },
    freshMemory: { title: "left by `Auth` with a new object, each", unit: "KB", law: "constant" },
  },
}

export const dimensions = Object.keys(measures) as Dimension[] // the keys of `measures`

/** The values of one process by the id of their measure. */
export type MeasuredValues = Readonly<Record<string, number>>

/** How much is measured. */
export interface ProcessGrowthOptions {
  readonly counts: Readonly<Record<Dimension, readonly number[]>>
  readonly rounds: number
  /** How long a workload runs before and while it is measured, in milliseconds. */
  readonly duration: number
  readonly writesResults: boolean
}

export const fullOptions: ProcessGrowthOptions = {
  counts: {
    sessions: [100, 10_000, 1_000_000],
    records: [1000, 10_000, 100_000, 1_000_000],
    revocations: [1000, 10_000, 100_000, 1_000_000],
    providers: [1, 10, 1000],
    tenants: [1, 100, 10_000],
  },
  rounds: 3,
  duration: 300,
  writesResults: true,
}

export const quickOptions: ProcessGrowthOptions = {
  counts: {
    sessions: [100, 1000],
    records: [100, 1000],
    revocations: [100, 1000],
    providers: [1, 10],
    tenants: [1, 20],
  },
  rounds: 1,
  duration: 5,
  writesResults: false,
}
