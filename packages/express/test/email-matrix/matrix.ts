/** Registers the tests of an application's matrix. */

import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launchChromium } from "../../../../scripts/test-setup/launch-chromium.ts"
import { type Cell, listCells, type Outcome, scanners, type Way } from "./cells.ts"
import { expectPublished } from "./published-table.ts"
import { createLimit, runCell } from "./run-cell.ts"
import type { CreateMiddleware } from "./site.ts"

export interface Matrix {
  /** Name of the application, and of its table in docs/email.md. */
  readonly name: string
  readonly createMiddleware: CreateMiddleware
  readonly ways: readonly Way[]
  /** Expectations besides that the outcome is published. */
  readonly expectOutcome?: (outcome: Outcome, cell: Cell) => void
}

/** A limit that all matrices of a test file share. */
const limit = createLimit(4)
/** All cells run at once, so each may wait for all others. */
const timeout = 600_000

/** Runs the cells of all matrices at once, and tests each. */
export function testMatrices(matrices: readonly Matrix[]): void {
  let browser: Browser
  const runs = matrices.map((matrix) => {
    const cells = listCells(matrix.ways)
    return { ...matrix, cells, outcomes: new Map<Cell, Promise<Outcome>>() }
  })

  beforeAll(async () => {
    browser = await launchChromium()
    for (const { cells, createMiddleware, outcomes } of runs) {
      for (const cell of cells) {
        const outcome = runCell(browser, limit, createMiddleware, cell)
        outcome.catch(() => undefined) // reported by the test that awaits it
        outcomes.set(cell, outcome)
      }
    }
  })
  afterAll(() => browser.close())

  describe.each(runs)("$name", ({ name, cells, outcomes, expectOutcome }) => {
    test.each(cells.map((cell) => ({ cell, title: describeCell(cell) })))(
      "$title",
      { timeout },
      async ({ cell }) => {
        const outcome = await outcomes.get(cell)
        expect(outcome).toBeDefined()
        if (outcome) expectOutcome?.(outcome, cell)
      },
    )

    test("is published in docs/email.md (LATCHKEY_WRITE_DOCS=1 writes it)", async () => {
      const settled = await Promise.all(
        cells.map(async (cell) => [cell, await outcomes.get(cell)] as const),
      )
      expectPublished(
        name,
        new Map(settled.flatMap(([cell, outcome]) => (outcome ? [[cell, outcome]] : []))),
      )
    })
  })
}

const describeCell = ({ scanner, place, way, scripts }: Cell): string =>
  `${scanners[scanner]}, then the ${way} in the ${place}, ${scripts ? "with" : "without"} scripts`
