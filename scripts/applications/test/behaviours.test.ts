/** The behaviour table, row by row, for every application; and the page that tells about it. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from "vitest"
import { chapters } from "../behaviours/all.ts"
import { applications } from "../catalogue.ts"
import { isSkipped, tellSkipped } from "../chosen.ts"
import {
  type Column,
  compatibilityPage,
  pagePath,
  type Verdict,
  versionsIn,
  withoutSkipped,
} from "../page.ts"
import { openScene, type Scene, type Setting, settings } from "../scene.ts"
import { freePort } from "../server.ts"

const rows = chapters.flatMap(({ behaviours }) => behaviours)
const rowsIn = (setting: Setting) => rows.filter((each) => (each.setting ?? "plain") === setting)
const occurring = (Object.keys(settings) as Setting[]).filter(
  (setting) => rowsIn(setting).length > 0,
)
const columns = applications.map((application) => ({
  application,
  versions: [] as string[],
  verdicts: new Map<string, Verdict>(),
}))

tellSkipped()
for (const [index, { application, versions, verdicts }] of columns.entries()) {
  describe.skipIf(isSkipped(application))(application.title, () => {
    describe.each(occurring)("%s", (setting) => {
      let scene: Scene

      beforeAll(async () => {
        scene = await openScene(application, setting, await freePort(24_100 + index))
        versions.splice(0, Infinity, ...versionsIn(scene.folder, application))
      })
      afterAll(() => scene?.[Symbol.asyncDispose]())

      for (const row of rowsIn(setting)) {
        test(row.name, async () => {
          verdicts.set(row.name, "no")
          const before = scene.output().length
          onTestFailed(() => console.error(scene.output().slice(before)))
          await row.prove(scene)
          verdicts.set(row.name, "yes")
        })
      }
    })
  })
}

// In a run of some rows only (`-t`) there is nothing to compare.
test("the page says what came out", async ({ skip }) => {
  const ran = columns.filter(({ application }) => !isSkipped(application))
  skip(!ran.every(isComplete), "not every row was run")
  const page = compatibilityPage(chapters, columns)
  if (ran.length === columns.length) {
    await expect(page).toMatchFileSnapshot(resolve(pagePath))
  } else {
    const committed = readFileSync(pagePath, "utf8")
    expect(withoutSkipped(committed, columns)).toBe(withoutSkipped(page, columns))
  }
})

function isComplete({ verdicts }: Column): boolean {
  return rows.every(({ name }) => verdicts.has(name))
}
