/** Prints the counts of an operation whose work is known. */
import { setImmediate as waitForNextTurn } from "node:timers/promises"
import { installCounters, listenToCounts } from "../../budgets/counters.ts"
import type { FigureId } from "../../budgets/figures.ts"

installCounters()
const { createHash, randomBytes } = await import("node:crypto")
const { DatabaseSync } = await import("node:sqlite")
const key = await crypto.subtle.importKey(
  "raw",
  new Uint8Array(32),
  { name: "HMAC", hash: "SHA-256" },
  false,
  ["sign"],
)

const counts: Partial<Record<FigureId, number>> = {}
listenToCounts((figure) => {
  counts[figure] = (counts[figure] ?? 0) + 1
})
createHash("sha256").update("text").digest()
randomBytes(16) // the resource of a job, but no job
new URL(Response.redirect("http://localhost/").headers.get("location") ?? "").searchParams.get("a")
new URLSearchParams(JSON.parse("{}"))
new DatabaseSync(":memory:").prepare("select 1").get()
setTimeout(() => {}, 1)
await crypto.subtle.sign("HMAC", key, new Uint8Array(1))
await waitForNextTurn()
listenToCounts(undefined)
console.log(JSON.stringify(counts))
