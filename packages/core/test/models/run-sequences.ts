/** Runs random sequences. `LATCHKEY_SEQUENCES` sets how many, `LATCHKEY_SEED` repeats a run. */
import fc from "fast-check"
import { expect, onTestFinished, test, vi } from "vitest"
import { allCommands } from "./sign-in-commands.ts"
import { browserCount, SignInModel } from "./sign-in-model.ts"
import { createSite, type Strategy } from "./sign-in-site.ts"

const numRuns = Number(process.env["LATCHKEY_SEQUENCES"] ?? 100)
const seed = Number(process.env["LATCHKEY_SEED"] ?? Date.now() % 2 ** 31)
const startTime = Date.UTC(2030, 0, 1)

export function testSequences(strategy: Strategy): void {
  test(`${numRuns} sequences, strategy ${strategy}, seed ${seed}`, {
    timeout: 3_600_000,
  }, async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const site = await createSite(strategy)
    let count = 0
    const property = fc.asyncProperty(
      fc.commands(allCommands, { maxCommands: 12 }),
      async (commands) => {
        site.empty()
        vi.setSystemTime(startTime)
        const model = new SignInModel()
        site.useSecrets(model.secrets)
        const browsers = Array.from({ length: browserCount }, () => site.openBrowser())
        const system = { site, strategy, startTime, browsers, stolen: [], usedResponses: [] }
        await fc.asyncModelRun(() => ({ model, real: system }), commands)
        count += 1
      },
    )
    await fc.assert(property, { numRuns, seed })
    expect(count).toBe(numRuns)
  })
}
