/** Sessions in cookies of earlier releases, and sign-ins that had begun, continue with this version. */
import { withFrozenTime } from "@latchkey/testing/clock"
import { expect, test } from "vitest"
import { recordActions, recordedTime, startApplication } from "../application.ts"
import { expectContinuity } from "../expect-continuity.ts"
import { readRecording, recordedRelease, releases, writeReleaseFile } from "../recording.ts"

test.runIf(recordedRelease)("a recording of cookies", async () => {
  const application = await startApplication()
  const recording = await withFrozenTime(recordedTime, () => recordActions(application))
  writeReleaseFile(String(recordedRelease), "cookies.json", JSON.stringify(recording, undefined, 2))
})

test("there are recordings", () => expect(releases.length).toBeGreaterThan(0))

test.each(releases)("browsers with the cookies of %s continue", async (release) => {
  const recording = readRecording(release, "cookies")
  const application = await startApplication()
  await withFrozenTime(recording.time + 60_000, () => expectContinuity(application, recording))
})
