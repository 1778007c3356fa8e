/** One library in a process of its own, so that none of them warms or spoils the code of another. */
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type LibraryId, libraries } from "../libraries/libraries.ts"
import type { Library } from "../libraries/library.ts"
import { startProvider } from "../provider.ts"
import type { Work, WorkId, Works } from "../tasks/work.ts"
import { commonWorks, httpWorks, inProcessWorks, siteIdOf } from "../tasks/works.ts"
import type { Answer, CommandName, Commands, Question } from "./commands.ts"
import { factsOf } from "./facts.ts"
import { openSites } from "./sites.ts"
import { timed } from "./timed.ts"

const [, , id = "", place, many] = process.argv
const library: Library = libraries[id as LibraryId]
const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

const provider = startProvider()
// The libraries have different options for this, or none: one way serves all of them alike.
globalThis.fetch = provider.fetch
const { sites, ports, close } = await openSites(library, folder)
const works: Works = {
  ...(await commonWorks(sites)),
  ...(await (place === "http" ? httpWorks(sites) : inProcessWorks(sites, Number(many)))),
}

function workOf(id: WorkId): Work {
  const work = works[id]
  if (!work) throw new TypeError(`${library.name} has no work ${id}`)
  return work
}

const sendOf = (id: WorkId) => found(sites[siteIdOf(id)], id).send

function found<T>(value: T | undefined, id: WorkId): T {
  if (value === undefined) throw new TypeError(`${library.name} has no site for ${id}`)
  return value
}

function sentWorkOf(id: WorkId) {
  const work = workOf(id)
  if (work.kind !== "sent") throw new TypeError(`${id} is nothing to be sent`)
  return work
}

const answers: {
  [Name in CommandName]: (question: Commands[Name]["question"]) => Promise<Commands[Name]["answer"]>
} = {
  async prove() {
    const ids = Object.keys(works) as WorkId[] // the keys of a table of works
    if (place === "process") for (const id of ids) await timed(workOf(id), sendOf(id), 1)
    return ids
  },
  facts: () => factsOf(sites.sealed, provider),
  measure: ({ work, milliseconds }) => timed(workOf(work), sendOf(work), milliseconds),
  async asks({ work, count }) {
    const { asks, status, once } = sentWorkOf(work)
    const port = found(ports[siteIdOf(work)], work)
    return { port, status, asks: await asks(once ? count : 1) }
  },
  async check({ work, reply }) {
    await sentWorkOf(work).check(reply)
    return true
  },
  async cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
}

async function answerTo(question: Question): Promise<Answer> {
  try {
    const answer = answers[question.name] as (question: Question) => Promise<unknown>
    return { kind: "answer", answer: await answer(question) }
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? String(error.stack) : String(error) }
  }
}

const tell = (answer: Answer): void => void process.send?.(answer)

process.on("message", (question: Question) => void answerTo(question).then(tell))
process.once("disconnect", () => {
  close()
  process.exit()
})
tell({ kind: "ready" })
