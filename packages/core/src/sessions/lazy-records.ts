/** The modules of `records/` that a request may need: only applications that record sessions load them. */
import { type AsyncFunctions, loadOnFirstCall } from "../load-on-first-call.ts"

export const newRecords: AsyncFunctions<typeof import("./records/begin-session.ts")> =
  loadOnFirstCall(() => import("./records/begin-session.ts"))
export const sealedRecords: AsyncFunctions<typeof import("./records/sealed-sessions.ts")> =
  loadOnFirstCall(() => import("./records/sealed-sessions.ts"))
export const databaseRecords: AsyncFunctions<typeof import("./records/database-sessions.ts")> =
  loadOnFirstCall(() => import("./records/database-sessions.ts"))
export const recordManager: AsyncFunctions<typeof import("./records/manage-sessions.ts")> =
  loadOnFirstCall(() => import("./records/manage-sessions.ts"))
