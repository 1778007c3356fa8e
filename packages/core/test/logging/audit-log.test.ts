/** The table of docs/audit-log.md keeps what a response has told, also if its process is killed at once. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "@latchkey/sql/sqlite"
import { expect, onTestFinished, test } from "vitest"

const kills = 5
const signInsPerKill = 20

function createLog(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-audit-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "audit.db")
  const database = openSqlite(file)
  database.exec("create table audit_log (at text, type text, userId text, facts text)")
  database.close()
  return file
}

async function startProcess(file: string): Promise<ChildProcess> {
  const script = new URL("../support/audit-process.ts", import.meta.url)
  const child = fork(script, [file], { execArgv: ["--conditions=@latchkey/source"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child, "message")
  return child
}

function readUsers(file: string): Set<unknown> {
  const database = openSqlite(file)
  const rows = database.prepare("select userId from audit_log where type = 'sign-in'").all()
  database.close()
  return new Set(rows.map((row) => row["userId"]))
}

test("the log has every sign-in that a response has told, after `kill -9`", async () => {
  const file = createLog()
  const told: unknown[] = []
  for (let round = 0; round < kills; round += 1) {
    const child = await startProcess(file)
    const end = once(child, "exit")
    let count = 0
    const signIn = () => child.send(`user ${round}-${count}`)
    child.on("message", (name) => {
      told.push(name)
      count += 1
      signIn()
      // At once, while the next sign-in is under way.
      if (count === signInsPerKill) child.kill("SIGKILL")
    })
    signIn()
    const [, signal] = await end
    expect(signal).toBe("SIGKILL")
  }
  const users = readUsers(file)
  expect(told.length).toBeGreaterThanOrEqual(kills * signInsPerKill)
  expect(told.filter((name) => !users.has(name))).toEqual([])
})
