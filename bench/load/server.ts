/** A server under load, in one process or several: started with the subject, the port and the number of processes. */
import cluster from "node:cluster"
import { once } from "node:events"
import { openApplication } from "./applications.ts"
import { type LoadStores, type LoadSubjectId, storesVariable } from "./subjects.ts"

const [, , subject = "", port, processCount] = process.argv

if (cluster.isPrimary && Number(processCount) > 1) {
  const workers = Array.from({ length: Number(processCount) }, () => cluster.fork())
  await Promise.all(workers.map((worker) => once(worker, "listening")))
  process.once("disconnect", () => {
    for (const { process: worker } of workers) worker.kill("SIGKILL")
    process.exit()
  })
  process.send?.(workers.map((worker) => worker.process.pid))
} else {
  // The process that started this one passes a subject and its stores.
  const open = openApplication[subject as LoadSubjectId]
  const { app } = await open(JSON.parse(process.env[storesVariable] ?? "") as LoadStores)
  const server = app.listen(Number(port), "127.0.0.1")
  await once(server, "listening")
  process.once("disconnect", () => process.exit())
  if (cluster.isPrimary) process.send?.([process.pid])
}
