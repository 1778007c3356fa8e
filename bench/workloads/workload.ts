/** The measured workloads, by the numbers of the performance requirements. */
import type { HttpRequest, HttpResponse } from "../http.ts"

/** A workload that sends requests to a site and checks the responses. */
export interface RequestWorkload {
  readonly kind: "sent"
  /** Creates the requests, which is not measured. */
  createRequests(count: number): Promise<readonly HttpRequest[]>
  /** The expected status, which is checked for each response. */
  readonly status: number
  /** Whether each request can be sent only once. */
  readonly usesRequestOnce: boolean
  /** Throws if a response is wrong. Called for the first and last one of each round. */
  check(reply: HttpResponse): Promise<void>
}

/** A workload that calls a function instead of sending a request. */
export interface CallWorkload {
  readonly kind: "called"
  call(index: number): Promise<string | undefined>
  /** Throws if a result is wrong. */
  check(answer: string | undefined): void
}

export type Workload = RequestWorkload | CallWorkload

/** The titles of the workloads by id, in the order of the table. */
export const workloadTitles = {
  w1: "W1 session check, encrypted cookie",
  w1Distinct: "W1 … many distinct cookies",
  w1Alone: "W1 … without the browser's other cookies",
  w1Call: "W1 … headers in, session out",
  w2: "W2 session check, SQLite row",
  w2Shared: "W2 … Auth.js on our adapter",
  w2Distinct: "W2 … many distinct rows",
  w2SharedDistinct: "W2 … many distinct rows, Auth.js on our adapter",
  w2Alone: "W2 … without the browser's other cookies",
  w2Call: "W2 … headers in, session out",
  w3First: "W3 CSRF token, first",
  w3Again: "W3 CSRF token, again",
  w4: "W4 sign-in page",
  w4Four: "W4 sign-in page, four providers",
  w5: "W5 start of an OAuth sign-in",
  w6: "W6 OIDC callback",
  w7: "W7 sign-in with a password",
  w8: "W8 session check, no cookie",
  w8Form: "W8 session check, only the form cookies",
  w10Tiny: "W10 check with 0.2 KB of claims",
  w10Small: "W10 check with 1 KB of claims",
  w10Medium: "W10 check with 4 KB of claims",
  w10Large: "W10 check with 16 KB of claims",
  page: "A page that checks the session",
  w2Page: "A page that checks the session, SQLite row",
  bare: "The same page without a session check",
} as const

export type WorkloadId = keyof typeof workloadTitles

/** The workloads with many cookies, or with a table of many rows. */
export const sampledWorkloads: readonly WorkloadId[] = [
  ...(["w1Distinct", "w2", "w2Shared", "w2Distinct"] as const),
  ...(["w2SharedDistinct", "w2Alone", "w2Call", "w2Page"] as const),
]

/** Workloads by id. Libraries omit those that they do not support. */
export type Workloads = Partial<Record<WorkloadId, Workload>>
