/**
 * Compares two processes with one: how many session checks they answer in the same time. Nothing is sent, because on a
 * machine with two processors, a process that sends requests would need one of them.
 */
import type { BenchOptions } from "./options.ts"
import type { Measurement } from "./process/commands.ts"
import { SubjectProcess } from "./process/subject-process.ts"
import { printLine, showProgress } from "./progress.ts"

/** The limit shows what the machine can do: two processors of one core share parts of it. */
const subjectIds = ["latchkey", "limit"] as const

export type ScalingSubjectId = (typeof subjectIds)[number]

/** One process alone, and then two at the same time. */
export interface ScalingRound {
  readonly alone: Measurement
  readonly together: readonly Measurement[]
}

export type ScalingRounds = Readonly<Record<ScalingSubjectId, readonly ScalingRound[]>>

/** @throws WrongAnswer */
export async function measureScaling(options: BenchOptions): Promise<ScalingRounds> {
  const measured: Record<ScalingSubjectId, readonly ScalingRound[]> = { latchkey: [], limit: [] }
  for (const id of subjectIds) {
    showProgress(`  ${id}: two processes`)
    measured[id] = await measureSubject(id, options)
  }
  printLine("  two processes, answers are right")
  return measured
}

async function measureSubject(
  id: ScalingSubjectId,
  { sampleCount, rounds, warmUpDuration, scalingDuration }: BenchOptions,
): Promise<readonly ScalingRound[]> {
  await using first = await SubjectProcess.start(id, "process", sampleCount)
  await using second = await SubjectProcess.start(id, "process", sampleCount)
  const measure = (subject: SubjectProcess, milliseconds: number) =>
    subject.sendCommand("measure", { work: "w1Distinct", milliseconds })
  for (const share of [0.05, 0.25, 0.7])
    for (const subject of [first, second]) await measure(subject, warmUpDuration * share)
  const measured: ScalingRound[] = []
  while (measured.length < rounds) {
    const alone = await measure(measured.length % 2 === 0 ? first : second, scalingDuration)
    const subjects = [first, second]
    const together = await Promise.all(subjects.map((each) => measure(each, scalingDuration)))
    measured.push({ alone, together })
  }
  return measured
}
