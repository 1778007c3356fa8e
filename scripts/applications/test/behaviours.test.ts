/** Runs the behaviour table for every application, and checks the page with the results. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from "vitest"
import {
  type ApplicationFixture,
  type DeploymentName,
  deployments,
  openApplicationFixture,
} from "../application-fixture.ts"
import { findFreePort } from "../application-server.ts"
import { behaviourGroups } from "../behaviours/behaviour-groups.ts"
import { applications } from "../catalogue.ts"
import {
  type ApplicationResult,
  pagePath,
  readInstalledVersions,
  removeSkipped,
  renderCompatibilityPage,
  type Verdict,
} from "../compatibility-page.ts"
import { isSkipped, logSkippedApplications } from "../skipped-applications.ts"

const allBehaviours = behaviourGroups.flatMap(({ behaviours }) => behaviours)
const behavioursFor = (deployment: DeploymentName) =>
  allBehaviours.filter((each) => (each.deployment ?? "plain") === deployment)
const testedDeployments = (Object.keys(deployments) as DeploymentName[]).filter(
  (deployment) => behavioursFor(deployment).length > 0,
)
const results = applications.map((application) => ({
  application,
  versions: [] as string[],
  verdicts: new Map<string, Verdict>(),
}))

logSkippedApplications()
for (const [index, { application, versions, verdicts }] of results.entries()) {
  describe.skipIf(isSkipped(application))(application.title, () => {
    describe.each(testedDeployments)("%s", (deployment) => {
      let fixture: ApplicationFixture

      beforeAll(async () => {
        fixture = await openApplicationFixture(
          application,
          deployment,
          await findFreePort(24_100 + index),
        )
        versions.splice(0, Infinity, ...readInstalledVersions(fixture.folder, application))
      })
      afterAll(() => fixture?.[Symbol.asyncDispose]())

      for (const behaviour of behavioursFor(deployment)) {
        test(behaviour.name, async () => {
          verdicts.set(behaviour.name, "no")
          const before = fixture.output().length
          onTestFailed(() => console.error(fixture.output().slice(before)))
          await behaviour.verify(fixture)
          verdicts.set(behaviour.name, "yes")
        })
      }
    })
  })
}

// A run of selected rows (`-t`) cannot be compared.
test("the compatibility page is up to date", async ({ skip }) => {
  const testedResults = results.filter(({ application }) => !isSkipped(application))
  skip(!testedResults.every(isComplete), "not every row was run")
  const page = renderCompatibilityPage(behaviourGroups, results)
  if (testedResults.length === results.length) {
    await expect(page).toMatchFileSnapshot(resolve(pagePath))
  } else {
    const committedPage = readFileSync(pagePath, "utf8")
    expect(removeSkipped(committedPage, results)).toBe(removeSkipped(page, results))
  }
})

function isComplete({ verdicts }: ApplicationResult): boolean {
  return allBehaviours.every(({ name }) => verdicts.has(name))
}
