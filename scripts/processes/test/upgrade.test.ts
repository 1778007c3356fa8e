/** Replaces the processes of a release by those of this version, and goes back, while people use the application. */
import { expect, test } from "vitest"
import { recordedRelease, releases } from "../../upgrades/recording.ts"
import { startCluster, startScriptedProvider } from "../cluster.ts"
import { databases } from "../databases/databases.ts"
import { applyLaterStep } from "../later-step.ts"
import { PendingSignIns } from "../pending-sign-ins.ts"
import { openBuild, recordBuild } from "../releases.ts"
import { replaceBuild } from "../rolling-restart.ts"
import { signInUsers, startTraffic } from "../traffic.ts"

const clusterOptions = { variant: "example", provider: startScriptedProvider } as const

test.runIf(recordedRelease)("a recording of the example's build", async () => {
  await using cluster = await startCluster(clusterOptions)
  await recordBuild(String(recordedRelease), cluster.folder)
})

const cases = databases.flatMap((database) => releases.map((release) => ({ ...database, release })))

for (const { name, isInstalled, start, release } of cases) {
  test.skipIf(!isInstalled)(
    `from ${release} and back without errors, with ${name}`,
    async () => {
      await using server = await start()
      let oldFolder = ""
      await using cluster = await startCluster({
        ...clusterOptions,
        databaseUrl: server.url,
        firstFolder: async (folder) => {
          oldFolder = await openBuild(release, folder)
          return oldFolder
        },
      })
      const users = await signInUsers(cluster, 4)
      const traffic = startTraffic(users)
      const pendingSignIns = new PendingSignIns(cluster)
      const advance = () => pendingSignIns.advance()

      await replaceBuild(cluster, cluster.folder, advance)
      await applyLaterStep(server.url)
      await replaceBuild(cluster, oldFolder, advance)
      await pendingSignIns.finishAll()

      expect(await traffic.stop()).toEqual([])
      expect(traffic.countResponses()).toBeGreaterThan(users.length * 8)
      expect(pendingSignIns.problems).toEqual([])
      expect(pendingSignIns.finishedCount).toBe(8 * 4)
    },
    300_000,
  )
}
