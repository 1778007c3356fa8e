/** Runs one library in its own process, so that it does not affect the optimised code of another. */
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { libraries } from "../libraries/libraries.ts"
import type { Library } from "../libraries/library.ts"
import type { SubjectId } from "../libraries/library-names.ts"
import { startProvider } from "../provider.ts"
import {
  createCommonWorkloads,
  createHttpWorkloads,
  createInProcessWorkloads,
  findSiteId,
} from "../workloads/create-workloads.ts"
import type { Workload, WorkloadId, Workloads } from "../workloads/workload.ts"
import type { CommandMessage, CommandName, Commands, ReplyMessage } from "./commands.ts"
import { collectLibraryFacts } from "./library-facts.ts"
import { measureWorkload } from "./measure-workload.ts"
import { openSites } from "./sites.ts"

const [, , subjectId = "", place, many] = process.argv
const library: Library = libraries[subjectId as SubjectId]
const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

const provider = startProvider()
// Libraries have different options for this, or none, so this applies to all of them.
globalThis.fetch = provider.fetch
const { sites, ports, close } = await openSites(library, folder)
const workloads: Workloads = {
  ...(await createCommonWorkloads(sites)),
  ...(await (place === "http"
    ? createHttpWorkloads(sites)
    : createInProcessWorkloads(sites, Number(many)))),
}

function findWorkload(id: WorkloadId): Workload {
  const workload = workloads[id]
  if (!workload) throw new TypeError(`${subjectId} has no work ${id}`)
  return workload
}

const findSender = (id: WorkloadId) => requireValue(sites[findSiteId(id)], id).send

function requireValue<T>(value: T | undefined, id: WorkloadId): T {
  if (value === undefined) throw new TypeError(`${subjectId} has no site for ${id}`)
  return value
}

function findRequestWorkload(id: WorkloadId) {
  const workload = findWorkload(id)
  if (workload.kind !== "sent") throw new TypeError(`${id} is nothing to be sent`)
  return workload
}

const commandHandlers: {
  [Name in CommandName]: (message: Commands[Name]["question"]) => Promise<Commands[Name]["answer"]>
} = {
  async prove() {
    const ids = Object.keys(workloads) as WorkloadId[] // the keys of a table of workloads
    if (place === "process")
      for (const id of ids) await measureWorkload(findWorkload(id), findSender(id), 1)
    return ids
  },
  facts: () => collectLibraryFacts(sites.sealed, provider),
  measure: ({ work: workload, milliseconds }) =>
    measureWorkload(findWorkload(workload), findSender(workload), milliseconds),
  async asks({ work: workload, count }) {
    const { createRequests, status, usesRequestOnce } = findRequestWorkload(workload)
    const port = requireValue(ports[findSiteId(workload)], workload)
    return { port, status, asks: await createRequests(usesRequestOnce ? count : 1) }
  },
  async check({ work: workload, reply }) {
    await findRequestWorkload(workload).check(reply)
    return true
  },
  async cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
}

async function handleMessage(message: CommandMessage): Promise<ReplyMessage> {
  try {
    const answer = commandHandlers[message.name] as (message: CommandMessage) => Promise<unknown>
    return { kind: "answer", answer: await answer(message) }
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? String(error.stack) : String(error) }
  }
}

const sendReply = (answer: ReplyMessage): void => void process.send?.(answer)

process.on("message", (message: CommandMessage) => void handleMessage(message).then(sendReply))
process.once("disconnect", () => {
  close()
  process.exit()
})
sendReply({ kind: "ready" })
