/** Starts a fresh process for each scenario of each library, one after the other, again and again. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { type BuildOptions, build } from "esbuild"
import { printLine, showProgress } from "../progress.ts"
import {
  bundledScenarioIds,
  type ColdMeasurement,
  type ColdRounds,
  type ColdSubjectId,
  coldSubjectIds,
  type ScenarioId,
  scenarioIds,
  scenarioTitles,
} from "./cold-measurement.ts"
import { type ColdScenario, createColdScenarios } from "./scenarios.ts"
import type { ColdReport } from "./subject.ts"

/** The programs are here, because they import the libraries from `bench/node_modules`. */
const programFolder = join(import.meta.dirname, "../node_modules/.cache/cold")
const bundleFolder = join(import.meta.dirname, "../node_modules/.cache/cold-bundled")

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
  const scenarios = await createColdScenarios()
  // The first process of each reads its files from the disk.
  for (const scenario of scenarios) await measureProcess(scenario)
  printLine(`  ${scenarios.length} programs, answers are right`)
  const measured = Object.fromEntries(scenarioIds.map((id) => [id, {}])) as Record<
    ScenarioId,
    Partial<Record<ColdSubjectId, ColdMeasurement[]>>
  >
  for (let round = 0; round < rounds; round++) {
    for (const scenario of scenarios) {
      const { id, subject } = scenario
      showProgress(`  process ${round + 1} of ${rounds}: ${scenarioTitles[id]}, ${subject}`)
      const earlier = measured[id][subject] ?? []
      measured[id][subject] = [...earlier, await measureProcess(scenario)]
    }
  }
  printLine(`  processes of each program: ${rounds}`)
  return measured
}

/**
 * Bundles the programs: once with what belongs to the benchmark, so that a program loads no other files than those of the
 * library, and once with everything.
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
  await build({ ...options, outdir: programFolder, packages: "external" })
  await build({
    ...options,
    outdir: bundleFolder,
    minify: true,
    // Dependencies in CommonJS call it.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  })
}

async function measureProcess({
  id,
  subject,
  task,
  check,
}: ColdScenario): Promise<ColdMeasurement> {
  const folder = bundledScenarioIds.includes(id) ? bundleFolder : programFolder
  const program = pathToFileURL(join(folder, `${subject}.mjs`)).href
  const { stdout } = await runFile(process.execPath, [launcher, program, JSON.stringify(task)], {
    // Nothing that changes how Node.js starts, and no options of a library.
    env: { PATH: process.env["PATH"], NODE_ENV: "production" },
  })
  const { measurement, answer }: ColdReport = JSON.parse(stdout)
  if (answer) check(answer)
  return measurement
}
