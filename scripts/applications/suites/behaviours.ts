/** The rows of the behaviour table. */
import { describe, onTestFailed, test } from "vitest"
import type { ApplicationFixture, DeploymentName } from "../application-fixture.ts"
import { behaviourGroups } from "../behaviours/behaviour-groups.ts"
import type { Application } from "../catalogue.ts"
import { countSuiteSeconds } from "./suite.ts"

const allBehaviours = behaviourGroups.flatMap(({ behaviours }) => behaviours)

/** Tests the rows that need this deployment. */
export function testBehaviours(
  { framework }: Application,
  deployment: DeploymentName,
  fixture: () => ApplicationFixture,
): void {
  const behaviours = allBehaviours.filter(
    (each) => (each.deployment ?? "plain") === deployment && !each.exceptions?.[framework],
  )
  if (behaviours.length === 0) return
  describe("behaviours", () => {
    countSuiteSeconds("behaviours")
    test.each(behaviours)("$name", async ({ verify }) => {
      const before = fixture().output().length
      onTestFailed(() => console.error(fixture().output().slice(before)))
      await verify(fixture())
    })
  })
}
