/** Measures fresh processes and bundles, and stores the results. */
import { libraries } from "../libraries/libraries.ts"
import type { BenchOptions } from "../options.ts"
import { describeMachine } from "../report/machine.ts"
import { writeResults } from "../report/results.ts"
import { measureBundles } from "./bundle-sizes.ts"
import { type ColdSubjectId, coldSubjectIds } from "./cold-measurement.ts"
import { measureColdStarts } from "./rounds.ts"

/** Returns a summary. */
export async function measureCold({ processes, writesResults }: BenchOptions): Promise<string> {
  console.log("In fresh processes")
  const machine = describeMachine(coldSubjectIds.flatMap(findPackages))
  const bundles = await measureBundles()
  const rounds = await measureColdStarts(processes)
  if (writesResults) writeResults("cold", { machine, rounds, bundles })
  return `${Object.keys(bundles).length} bundles, fresh processes of each program: ${processes}`
}

const findPackages = (id: ColdSubjectId): readonly string[] =>
  id === "empty" ? [] : libraries[id].packages
