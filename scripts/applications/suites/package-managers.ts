/** Tests that each package manager installs the packages of a release: in new applications, examples and quick starts. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  type PackageManager,
  packageManagers,
  translateCommand,
} from "../../release/package-managers.ts"
import { findFreePort } from "../application-server.ts"
import { applications, type Environment } from "../catalogue.ts"
import { type RunningProgram, runProgram, startProgram, stopProgram } from "../command.ts"
import { installExample, useInstalledExample } from "../installed-example.ts"
import { openMembersPage, signInAtProvider } from "../open-members-page.ts"
import { quickStartPages, readQuickStart } from "../quick-starts/quick-start.ts"
import { registerQuickStartClient } from "../quick-starts/quick-start-client.ts"
import { runQuickStart } from "../quick-starts/run-quick-start.ts"
import { waitForOrigin } from "../quick-starts/server-origin.ts"
import { countSeconds } from "../seconds.ts"
import { startTenantProvider } from "../tenant-provider.ts"
import { printSeconds } from "./suite.ts"

/** A published release, and where it is tried. */
export interface PublishedRelease {
  readonly version: string
  /** A temporary folder. */
  readonly folder: string
  /** The variables of people who install it. */
  readonly env: Environment
}

const examples = applications.filter(({ overlay }) => overlay === undefined)
const person = "Ada Lindqvist"
/** Whether to use all examples and quick starts, which takes 20 minutes or more; otherwise only those of Express. */
const isComplete = process.env["LATCHKEY_PACKAGE_MANAGERS"] === "all"

/** Of a test, which runs several commands. */
const timeout = isComplete ? 900_000 : 300_000

const selectedExamples = examples.filter(({ name }) => isComplete || name === "express")
const selectedPages = quickStartPages.filter((page) => isComplete || page === "docs/express.md")

/** Tests a release that has the tag `next`. @param release called when a test runs */
export function testPackageManagers(release: () => PublishedRelease): void {
  describe.each(packageManagers)("$name", (manager) => {
    printSeconds(`release, ${manager.name}`)

    test.each(isComplete ? manager.created : manager.created.slice(0, 1))(
      "creates an application for %s in which somebody signs in",
      {
        timeout,
      },
      (framework) =>
        countSeconds("created application", () =>
          tryCreatedApplication(framework, manager, release()),
        ),
    )

    test.each(selectedExamples)(
      "installs, builds and runs the example for $title",
      {
        timeout,
      },
      async (application) => {
        const { version } = release()
        const folder = openFolder(release(), `${manager.name}-example`)
        const env = { ...release().env, ...manager.settings }
        const example = { application, folder, manager, env }
        await installExample(example, version)
        expect(readInstalledVersions(folder)).toEqual(new Set([version]))
        await useInstalledExample(example, async (origin, { tenant }) => {
          const ada = createTestBrowser(origin, { basePath: application.basePath })
          await openMembersPage(ada, person, () => signInAtProvider(ada, "tenantidp", tenant))
        })
      },
    )

    // `quick-starts.test.ts` follows them with npm, in Chromium.
    if (manager.name === "npm") return
    test.each(selectedPages)("follows %s up to a sign-in", { timeout }, (page) =>
      followQuickStart(page, manager, release()),
    )
  })
}

async function tryCreatedApplication(
  framework: string,
  { name, create: [program, ...args] }: PackageManager,
  release: PublishedRelease,
): Promise<void> {
  const parent = openFolder(release, `${name}-created`)
  const options = ["app", "--framework", framework, "--yes"]
  await runProgram(program, [...args, ...options], { cwd: parent, env: release.env })
  const server = startProgram(name, ["run", "dev"], {
    cwd: join(parent, "app"),
    env: { ...release.env, PORT: String(await findFreePort(0)) },
  })
  try {
    const origin = await waitForOrigin(server)
    const basePath = framework === "next" ? "/api/auth" : "/auth"
    const ada = createTestBrowser(origin, { basePath })
    await openMembersPage(ada, person, () => signInInDevelopment(ada))
  } catch (error) {
    throw describeFailure(error, server)
  } finally {
    await stopProgram(server)
  }
}

/** Signs in as a made-up person. */
async function signInInDevelopment(ada: TestBrowser): Promise<void> {
  const page = await ada.startSignIn("development")
  const answer = await fetch(page, {
    method: "POST",
    headers: { origin: page.origin },
    body: new URLSearchParams({ user: "ada" }),
    redirect: "manual",
  })
  await ada.open(new URL(answer.headers.get("location") ?? ""))
}

/** Follows a quick start up to its development server. */
async function followQuickStart(
  page: string,
  manager: PackageManager,
  release: PublishedRelease,
): Promise<void> {
  const provider = await startTenantProvider(openFolder(release, "provider"))
  const client = registerQuickStartClient(page, provider)
  const steps = readQuickStart(page)
  const production = steps.findLastIndex(({ type }) => type === "start")
  try {
    await runQuickStart(steps.slice(0, production), {
      folder: openFolder(release, `${manager.name}-quick-start`),
      env: { ...release.env, ...manager.settings },
      translate: (command) => translateCommand(askForNext(command), manager),
      port: await findFreePort(0),
      values: client.values,
      async useServer(server) {
        const origin = await waitForOrigin(server)
        client.register(origin)
        const basePath = client.callbackPath.replace("/callback/google", "")
        const ada = createTestBrowser(origin, { basePath })
        const signIn = () => signInAtProvider(ada, "google", provider)
        await openMembersPage(ada, person, signIn).catch((error: unknown) => {
          throw describeFailure(error, server)
        })
        return origin
      },
    })
  } finally {
    await provider.close()
  }
}

/** Adds what a server has printed. */
function describeFailure(error: unknown, server: RunningProgram): Error {
  return new Error(`${error}\n${server.output()}`, { cause: error })
}

/** Creates a folder for one test: another that timed out may still write to its folder. */
function openFolder({ folder }: PublishedRelease, name: string): string {
  return mkdtempSync(join(folder, `${name}-`))
}

/** Returns a command that installs the version of the tag `next`, as people have to who want a pre-release. */
function askForNext(command: string): string {
  return /^npm install /.test(command) ? command.replace(/@latchkey\/[\w-]+/g, "$&@next") : command
}

/** Returns the versions of our packages that an application has installed. */
function readInstalledVersions(application: string): Set<string> {
  const scope = join(application, "node_modules/@latchkey")
  const texts = readdirSync(scope).map((name) =>
    readFileSync(join(scope, name, "package.json"), "utf8"),
  )
  return new Set(texts.map((text) => JSON.parse(text).version))
}
