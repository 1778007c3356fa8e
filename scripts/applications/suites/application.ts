/**
 * All tests of one application, which is installed once, and built once for each origin that its build depends on. The
 * tests of a deployment share its server.
 */

import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe } from "vitest"
import { launchChromium } from "../../test-setup/launch-chromium.ts"
import {
  type ApplicationFixture,
  type DeploymentName,
  deployments,
  openApplicationFixture,
} from "../application-fixture.ts"
import { findFreePort } from "../application-server.ts"
import { type Application, applications, type Environment, isFullyTested } from "../catalogue.ts"
import { type RunningExample, startExample } from "../running-example.ts"
import { testBehaviours } from "./behaviours.ts"
import { testDeadEnds } from "./dead-ends.ts"
import { testEmailCodes } from "./email-codes.ts"
import { testEnvironmentFiles } from "./environment-files.ts"
import { testDevelopmentMode, testPages } from "./examples.ts"
import { testLogout } from "./logout.ts"
import { testMovedApplication } from "./moved-applications.ts"
import { testRenewal, testRequests } from "./next-requests.ts"
import { testPasskeys } from "./passkeys.ts"
import { testSharedMap } from "./qwik-shared-map.ts"
import { testStaleData } from "./qwik-upstream.ts"
import { testSecondFactor } from "./second-factor.ts"
import { testSessionChanges } from "./session-changes.ts"
import { type ApplicationSuite, printSeconds } from "./suite.ts"
import { testComponents } from "./sveltekit-components.ts"
import { testYourSessions } from "./your-sessions.ts"

type ExampleSuite = (suite: ApplicationSuite, example: () => RunningExample) => void
type FixtureSuite = (suite: ApplicationSuite, fixture: () => ApplicationFixture) => void

/** Runs all tests of the application with a name, such as `express-4`. */
export function testApplication(name: string): void {
  const index = applications.findIndex((each) => each.name === name)
  const application = applications[index]
  if (!application) throw new Error(`There is no application ${name}.`)
  describe(application.title, () => {
    let port: number
    let chromium: Browser
    printSeconds(application.title)
    beforeAll(async () => {
      port = await findFreePort(24_100 + index)
      chromium = await launchChromium()
    })
    afterAll(() => chromium?.close())
    testSuites({
      application,
      runsAll: isFullyTested(application),
      port: () => port,
      chromium: () => chromium,
    })
  })
}

function testSuites(suite: ApplicationSuite): void {
  for (const { env, suites } of exampleSuites(suite.application)) testExample(suite, env, suites)
  testDevelopmentMode(suite)
  if (suite.application.isExampleOnly) return
  testEnvironmentFiles(suite)
  for (const deployment of Object.keys(deployments) as DeploymentName[])
    testDeployment(suite, deployment, fixtureSuites(suite, deployment))
  testLogout(suite)
  testMovedApplication(suite)
}

/** The suites that use the unchanged example, and the variables of their servers. */
function exampleSuites({
  framework,
}: Application): { env: Environment; suites: readonly ExampleSuite[] }[] {
  // The Express example has a database only if it is told which one; the others always have theirs.
  return framework === "express"
    ? [
        { env: {}, suites: [testPages, testSessionChanges] },
        { env: { DATABASE_URL: "file:app.db" }, suites: [testYourSessions, testSecondFactor] },
      ]
    : [{ env: {}, suites: [testPages, testSessionChanges, testYourSessions, testSecondFactor] }]
}

/** The suites that use the server of a deployment. */
function fixtureSuites(
  { application, runsAll }: ApplicationSuite,
  deployment: DeploymentName,
): FixtureSuite[] {
  const { framework } = application
  switch (deployment) {
    case "plain":
      if (framework === "sveltekit") return [testComponents]
      return framework === "qwik" ? [testStaleData] : []
    case "named":
      // Express adds nothing to the core's passkeys, so the tests of the core are sufficient.
      if (framework === "express") return [testEmailCodes]
      return [testPasskeys, testEmailCodes, ...(framework === "next" ? [testRequests] : [])]
    case "deep":
      if (framework === "next") return [testRenewal]
      return framework === "qwik" ? [testSharedMap] : []
    case "database":
      // The ways on from failures are pages of the core, which the major version of the framework does not change.
      return runsAll ? [testDeadEnds] : []
    default:
      return []
  }
}

function testExample(
  suite: ApplicationSuite,
  env: Environment,
  suites: readonly ExampleSuite[],
): void {
  describe("example", () => {
    let example: RunningExample
    beforeAll(async () => {
      example = await startExample(suite.application, suite.port(), "production", env)
    })
    afterAll(() => example?.[Symbol.asyncDispose]())
    for (const test of suites) test(suite, () => example)
  })
}

function testDeployment(
  suite: ApplicationSuite,
  deployment: DeploymentName,
  suites: readonly FixtureSuite[],
): void {
  describe(deployment, () => {
    let fixture: ApplicationFixture
    beforeAll(async () => {
      fixture = await openApplicationFixture(suite.application, deployment, suite.port())
    })
    afterAll(() => fixture?.[Symbol.asyncDispose]())
    testBehaviours(suite.application, deployment, () => fixture)
    for (const test of suites) test(suite, () => fixture)
  })
}
