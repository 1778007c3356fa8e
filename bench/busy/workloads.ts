/** The requests that are measured again on a busy machine. */
import type { WorkloadId } from "../workloads/workload.ts"

/** Compared with Auth.js. */
export const inProcessWorkloads: readonly WorkloadId[] = ["w1Distinct", "w2", "w5", "w6", "w7"]

/** Compared with Auth.js, and with express-session with Passport. */
export const httpWorkloads: readonly WorkloadId[] = [
  "w1",
  "w2",
  "w5",
  "w6",
  "w7",
  "w8",
  "page",
  "w2Page",
]
