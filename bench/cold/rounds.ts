/** Starts a fresh process for each scenario of each library, one after the other, again and again. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { type BuildOptions, build } from "esbuild"
import { printLine, showProgress } from "../progress.ts"
import {
  type ColdMeasurement,
  type ColdRounds,
  type ColdSubjectId,
  coldSubjectIds,
  type ScenarioId,
  scenarioIds,
  scenarios,
} from "./cold-measurement.ts"
import { type ColdScenario, createColdScenarios } from "./scenarios.ts"
import type { ColdReport } from "./subject.ts"

/** The programs are here, because they import the libraries from `bench/node_modules`. */
const cacheFolder = join(import.meta.dirname, "../node_modules/.cache")
const programFolders = {
  "not-bundled": join(cacheFolder, "cold"),
  "one-file": join(cacheFolder, "cold-bundled"),
  "several-files": join(cacheFolder, "cold-split"),
} as const

const launcher = join(import.meta.dirname, "launcher.mjs")

const runFile = promisify(execFile)

/**
 * Measures all scenarios.
 *
 * @param rounds the number of processes for each scenario of each library
 * @throws WrongAnswer
 */
export async function measureColdStarts(rounds: number): Promise<ColdRounds> {
  await buildPrograms()
  const coldScenarios = await createColdScenarios()
  // The first process of each reads its files from the disk.
  for (const scenario of coldScenarios) await measureProcess(scenario)
  printLine(`  ${coldScenarios.length} programs, answers are right`)
  const measured = Object.fromEntries(scenarioIds.map((id) => [id, {}])) as Record<
    ScenarioId,
    Partial<Record<ColdSubjectId, ColdMeasurement[]>>
  >
  for (let round = 0; round < rounds; round++) {
    for (const scenario of coldScenarios) {
      const { id, subject } = scenario
      showProgress(`  process ${round + 1} of ${rounds}: ${scenarios[id].title}, ${subject}`)
      const earlier = measured[id][subject] ?? []
      measured[id][subject] = [...earlier, await measureProcess(scenario)]
    }
  }
  printLine(`  processes of each program: ${rounds}`)
  return measured
}

/**
 * Bundles the programs: with what belongs to the benchmark, so that a program loads no other files than those of the
 * library; and with everything, into one file, and into several.
 */
async function buildPrograms(): Promise<void> {
  const options: BuildOptions = {
    entryPoints: coldSubjectIds.map((id) => join(import.meta.dirname, "subjects", `${id}.ts`)),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2023",
    logLevel: "error",
  }
  await build({ ...options, outdir: programFolders["not-bundled"], packages: "external" })
  const bundled: BuildOptions = {
    ...options,
    minify: true,
    // Dependencies in CommonJS call it.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  }
  await build({ ...bundled, outdir: programFolders["one-file"] })
  await build({ ...bundled, outdir: programFolders["several-files"], splitting: true })
}

async function measureProcess({
  id,
  subject,
  task,
  check,
}: ColdScenario): Promise<ColdMeasurement> {
  const folder = programFolders[scenarios[id].bundle ?? "not-bundled"]
  const program = pathToFileURL(join(folder, `${subject}.mjs`)).href
  const { stdout } = await runFile(process.execPath, [launcher, program, JSON.stringify(task)], {
    // Nothing that changes how Node.js starts, and no options of a library.
    env: { PATH: process.env["PATH"], NODE_ENV: "production" },
  })
  const { measurement, answer }: ColdReport = JSON.parse(stdout)
  if (answer) check(answer)
  return measurement
}
