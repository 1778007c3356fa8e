/** Databases of earlier releases, and the cookies of their users, work with this version: nobody is signed out. */
import { readFileSync } from "node:fs"
import { migrate, migrationSql, type SqlAdapterOptions } from "@latchkey/sql"
import { withFrozenTime } from "@latchkey/testing/clock"
import { describe, test } from "vitest"
import {
  createAdapter,
  type DatabaseKind,
  listTables,
  type TestDatabase,
} from "../../../packages/sql/test/support/database-kinds/database-kind.ts"
import { databaseKinds } from "../../../packages/sql/test/support/database-kinds.ts"
import { recordActions, recordedTime, startApplication } from "../application.ts"
import { expectContinuity } from "../expect-continuity.ts"
import {
  getReleaseFile,
  readRecording,
  recordedRelease,
  releases,
  writeReleaseFile,
} from "../recording.ts"
import { dumpRows, runScript } from "../sql-statements.ts"

const options: SqlAdapterOptions & { sessionRecords: true } = {
  sessionRecords: true,
  secondFactor: true,
}

/** One kind for each dialect. */
const kinds = databaseKinds.filter(
  ({ dialect, name }, index, all) =>
    name !== "PGlite" &&
    index === all.findIndex((kind) => kind.dialect === dialect && kind.name !== "PGlite"),
)

test.runIf(recordedRelease).each(kinds)("a recording of $name", async (kind) => {
  const opened = await kind.open()
  await migrate(opened.database, options)
  const application = await startApplication(createAdapter(kind, opened, options))
  const recording = await withFrozenTime(recordedTime, () => recordActions(application))
  const release = String(recordedRelease)
  const rows = await dumpRows(opened, kind.dialect, await listTablesInOrder(kind, opened))
  const script = [migrationSql(kind.dialect, options), ...rows.map((row) => `${row};\n`)].join("")
  writeReleaseFile(release, `${kind.dialect}.sql`, script)
  writeReleaseFile(release, `${kind.dialect}.json`, JSON.stringify(recording, undefined, 2))
})

describe.each(releases)("a database of %s", (release) => {
  test.each(kinds)("on $name is brought up to date, and its users continue", async (kind) => {
    const opened = await kind.open()
    await runScript(opened, readFileSync(getReleaseFile(release, `${kind.dialect}.sql`), "utf8"))
    await migrate(opened.database, options)
    const application = await startApplication(createAdapter(kind, opened, options))
    const recording = readRecording(release, kind.dialect)
    await withFrozenTime(recording.time + 60_000, () => expectContinuity(application, recording))
  })
})

/** Users come first, to whom other rows belong. The steps of `migrate` are in its script. */
async function listTablesInOrder(kind: DatabaseKind, opened: TestDatabase): Promise<string[]> {
  const tables = (await listTables(kind, opened)).map(String)
  return ["User", ...tables.filter((table) => table !== "User" && table !== "LatchkeyMigration")]
}
