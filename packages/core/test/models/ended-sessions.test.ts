/**
 * Random sequences of sessions that end while others begin, in several processes with delays at every call that leaves
 * them. `LATCHKEY_SEQUENCES` sets how many: a tenth, because each is long. `LATCHKEY_SEED` repeats a run.
 */
import fc from "fast-check"
import { expect, onTestFinished, test, vi } from "vitest"
import { browserCount, type Sequence, userCount } from "./ended-sessions-browsers.ts"
import { markUses, verifyBrowsers, verifyCopies } from "./ended-sessions-checks.ts"
import { History } from "./ended-sessions-model.ts"
import { createSequences, type Round } from "./ended-sessions-operations.ts"
import { createSite, type Site, type Storage } from "./ended-sessions-site.ts"
import { interleave } from "./interleaving.ts"

const numRuns = Math.ceil(Number(process.env["LATCHKEY_SEQUENCES"] ?? 400) / 10)
const seed = Number(process.env["LATCHKEY_SEED"] ?? Date.now() % 2 ** 31)
const startTime = Date.UTC(2030, 0, 1)
/** The changes of a sequence are forgotten before the next one begins. */
const sequenceInterval = 4 * 3_600_000

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

async function createSequence(site: Site, number: number): Promise<Sequence> {
  const users = Array.from({ length: userCount }, (_, index) => `user${index}-${number}`)
  await site.reset(users)
  return {
    site,
    users,
    browsers: Array.from({ length: browserCount }, () => site.openBrowser()),
    histories: { main: new History(), wiki: new History() },
    round: 0,
  }
}

async function runRound(sequence: Sequence, { pause, operations, turns }: Round): Promise<void> {
  const { site, histories } = sequence
  pass(pause * 1000)
  // Before other uses are recorded.
  if (pause > 2 && site.hasRecords) await verifyCopies(sequence)
  await markUses(sequence)
  const runs = operations.map((operation) => () => operation.run(sequence))
  await interleave(runs, turns, () => void pass(1))
  for (const history of Object.values(histories)) expect(history.findWrongRefusals()).toEqual([])
  await verifyBrowsers(sequence)
  sequence.round += 1
}

test.each<Storage>(["jwt", "database", "cookie"])(
  `${numRuns} sequences, %s, seed ${seed}`,
  {
    timeout: 36_000_000,
  },
  async (storage) => {
    vi.useFakeTimers({ toFake: ["Date"], now: startTime })
    onTestFinished(() => void vi.useRealTimers())
    const site = await createSite(storage)
    let count = 0
    const property = fc.asyncProperty(createSequences(site.hasRecords), async (rounds) => {
      vi.setSystemTime(startTime + count * sequenceInterval)
      count += 1
      const sequence = await createSequence(site, count)
      for (const round of rounds) await runRound(sequence, round)
      if (site.hasRecords) await verifyCopies(sequence)
    })
    await fc.assert(property, { numRuns, seed })
    expect(count).toBe(numRuns)
  },
)
