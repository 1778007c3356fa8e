/** The code of a guide in `docs`, as its readers copy it: each block in the file that it names. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import type { AuthConfig } from "@latchkey/core"
import { onTestFinished, vi } from "vitest"
import { readCodeBlocks } from "../../../../scripts/code-blocks/blocks.ts"

export type RecipeEngine = "SQLite" | "PostgreSQL"

type Query = <Row>(sql: string, ...values: string[]) => Promise<Row[]>

export interface Recipe {
  readonly query: Query
  /** Evaluates a file of the guide, again if it was evaluated before, and returns its exports. */
  run(file: string): Promise<{ app: RequestListener }>
  /** The configuration of the guide, which tests may change. */
  readonly config: Omit<AuthConfig, "raw">
}

/** Modules of a folder that has the packages of this project. */
const cache = join(import.meta.dirname, "../../.cache")
const evaluate = (path: string, version: string) => import(/* @vite-ignore */ `${path}?${version}`)

/** The file of a guide for two engines that its readers on PostgreSQL call `database.ts`. */
const postgresFile = "database-postgres.ts"

/**
 * Writes the code of a guide into a folder of its own. The environment has to name the database.
 *
 * @param variants files of the guide, by the file that its readers write instead
 */
export async function installRecipe(
  guide: string,
  engine: RecipeEngine,
  variants: Readonly<Record<string, string>> = {},
): Promise<Recipe> {
  const files = readCodeBlocks()
    .filter(({ file, kind }) => file === `docs/${guide}.md` && /^ts [\w-]+\.ts$/.test(kind))
    .map(({ kind, code }) => [kind.slice(3), code] as const)
  const isPostgres = engine === "PostgreSQL" && files.some(([name]) => name === postgresFile)
  const databaseFile = isPostgres ? postgresFile : "database.ts"
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${cache}/`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  vi.spyOn(console, "log").mockReturnValue()
  onTestFinished(() => void vi.restoreAllMocks())
  for (const [name, code] of files) {
    if (name.startsWith("database") && name !== databaseFile) continue
    const variant = files.find(([each]) => each === variants[name])
    const text = variant?.[1] ?? code
    writeFileSync(join(folder, name === databaseFile ? "database.ts" : name), text)
  }
  const { database, query } = await import(/* @vite-ignore */ `${folder}/database.ts`)
  const { config } = await import(/* @vite-ignore */ `${folder}/auth.ts`)
  onTestFinished(() => (engine === "SQLite" ? database.close() : database.end()))
  let runs = 0
  return {
    query,
    config,
    run: (file) => evaluate(join(folder, file), String(runs++)),
  }
}

/** Sets variables until the end of the test. */
export function setEnvironment(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}
