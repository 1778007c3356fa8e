/** Examples that a package manager installs from the registry, as in a copy of their folders. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createManagerSettings } from "../../packages/cli/src/init/manager-settings.ts"
import { type PackageManager, yarnResolutions } from "../release/package-managers.ts"
import { findFreePort, waitForServer } from "./application-server.ts"
import { collectExampleFiles } from "./build-application.ts"
import type { Application, Environment } from "./catalogue.ts"
import { runProgram, startProgram, stopProgram } from "./command.ts"
import { writeFiles } from "./overlay-files.ts"
import { createExampleEnv } from "./running-example.ts"
import { countSeconds } from "./seconds.ts"
import { startTestServices, type TestServices } from "./test-services.ts"

export interface InstalledExample {
  readonly application: Application
  readonly folder: string
  readonly manager: PackageManager
  /** The variables of all commands. */
  readonly env: Environment
}

/** Installs an example with a version of our packages, and without a lock file. */
export async function installExample(
  { application, folder, manager, env }: InstalledExample,
  version: string,
): Promise<void> {
  const files = new Map(collectExampleFiles(application))
  files.delete("package-lock.json")
  writeFiles(files, folder)
  const manifestFile = join(folder, "package.json")
  const text = readFileSync(manifestFile, "utf8")
  const { overrides, ...manifest } = JSON.parse(
    text.replace(/"file:\.\.\/packed\/[^"]+"/g, `"${version}"`),
  )
  const allOverrides = { ...overrides, ...(manager.name === "yarn" && yarnResolutions) }
  const { members, fileTexts } = createManagerSettings(manager.name, allOverrides, {
    isNew: true,
    isInWorkspace: false,
  })
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, ...members }, undefined, 2))
  for (const [path, content] of fileTexts) writeFileSync(join(folder, path), content)
  await countSeconds(`${manager.name} install`, () =>
    runProgram(manager.name, ["install"], { cwd: folder, env }),
  )
}

/** Builds an installed example, and uses its server, which ends afterwards. */
export async function useInstalledExample(
  { application, folder, manager, env }: InstalledExample,
  use: (origin: string, services: TestServices) => Promise<void>,
): Promise<void> {
  const port = await findFreePort(0)
  const address = { port, origin: `http://localhost:${port}` }
  const run = (script: string) => [manager.name, ["run", script]] as const
  await countSeconds("build", () =>
    runProgram(...run("build"), {
      cwd: folder,
      env: { ...env, ...application.buildEnv?.(address) },
    }),
  )
  await using services = await startTestServices(address.origin + application.basePath)
  const server = startProgram(...run("start"), {
    cwd: folder,
    env: { NODE_ENV: "production", ...env, ...createExampleEnv(application, address, services) },
  })
  try {
    await waitForServer(server, port)
    await use(address.origin, services)
  } catch (error) {
    throw new Error(`${error}\n${server.output()}`, { cause: error })
  } finally {
    await stopProgram(server)
  }
}
