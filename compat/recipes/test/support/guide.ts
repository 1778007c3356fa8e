/** The code of a guide in `docs`, as its readers copy it: each block in the file that it names. */

import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Express } from "express"
import { onTestFinished, vi } from "vitest"
import { readCodeBlocks } from "../../../../scripts/code-blocks/blocks.ts"

/** A folder that has the packages of this project. */
const cache = join(import.meta.dirname, "../../.cache")

/** Evaluates a file of the guide, and returns its exports. */
type ImportFile = <Exports>(file: string) => Promise<Exports>

/** Writes the files of a guide. */
export function installGuide(guide: string): ImportFile {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${cache}/`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const { file, kind, code } of readCodeBlocks()) {
    const name = /^ts ([\w-]+\.ts)$/.exec(kind)?.[1]
    if (file === `docs/${guide}.md` && name !== undefined) writeFileSync(join(folder, name), code)
  }
  return (file) => import(/* @vite-ignore */ join(folder, file))
}

/** Sets the environment of a guide: a secret, and a new database in memory. Nothing is logged. */
export function stubEnvironment(others: Record<string, string> = {}): void {
  const variables = {
    ...others,
    AUTH_SECRET: "the secret of the guides, of 32 characters and more",
    DATABASE_FILE: ":memory:",
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  for (const level of ["error", "warn", "log"] as const) vi.spyOn(console, level).mockReturnValue()
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })
}

/** Starts the application of a guide, and returns its address. */
export async function listen(app: Express): Promise<string> {
  const server = app.listen(0, "127.0.0.1")
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
