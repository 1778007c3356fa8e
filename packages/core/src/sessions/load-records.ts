/** The functions of `records/` that a request may need: only applications that record sessions load them. */
import { loadOnFirstCall } from "../load-on-first-call.ts"

type Sealed = typeof import("./records/sealed-sessions.ts")
type Beginning = typeof import("./records/begin-session.ts")
type Stored = typeof import("./records/database-sessions.ts")
type Manager = typeof import("./records/manage-sessions.ts")
const loadSealed = () => import("./records/sealed-sessions.ts")
const loadStored = () => import("./records/database-sessions.ts")
const loadManager = () => import("./records/manage-sessions.ts")

export const beginSignIn: Beginning["beginSignIn"] = loadOnFirstCall(
  async () => (await import("./records/begin-session.ts")).beginSignIn,
)
export const checkRecordedToken: Sealed["checkToken"] = loadOnFirstCall(
  async () => (await loadSealed()).checkToken,
)
export const addUserFacts: Sealed["addUserFacts"] = loadOnFirstCall(
  async () => (await loadSealed()).addUserFacts,
)
export const saveSealedSession: Sealed["saveSealedSession"] = loadOnFirstCall(
  async () => (await loadSealed()).saveSealedSession,
)
export const endReplacedSession: Sealed["endReplacedSession"] = loadOnFirstCall(
  async () => (await loadSealed()).endReplacedSession,
)
export const isSealedSessionRevoked: Sealed["isSealedSessionRevoked"] = loadOnFirstCall(
  async () => (await loadSealed()).isSealedSessionRevoked,
)
export const endSealedSession: Sealed["endSealedSession"] = loadOnFirstCall(
  async () => (await loadSealed()).endSealedSession,
)
export const readRecordedFacts: Stored["readRecordedFacts"] = loadOnFirstCall(
  async () => (await loadStored()).readRecordedFacts,
)
export const saveDatabaseRecord: Stored["saveDatabaseRecord"] = loadOnFirstCall(
  async () => (await loadStored()).saveDatabaseRecord,
)
export const deleteDatabaseRecord: Stored["deleteDatabaseRecord"] = loadOnFirstCall(
  async () => (await loadStored()).deleteDatabaseRecord,
)
export const callWithUpdates: Stored["callWithUpdates"] = loadOnFirstCall(
  async () => (await loadStored()).callWithUpdates,
)
export const revokeUserSessions: Manager["revokeUserSessions"] = loadOnFirstCall(
  async () => (await loadManager()).revokeUserSessions,
)
