/**
 * A package registry on this machine, Verdaccio, which has staged publication as npm has it. It has our packages alone:
 * all others come from the usual registry.
 */
import { randomUUID } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { findFreePort, waitForServer } from "../applications/application-server.ts"
import type { Environment } from "../applications/catalogue.ts"
import { startProgram, stopProgram } from "../applications/command.ts"

/** The folder with the registry and the package managers. */
export const registryTools = resolve("compat/registry/node_modules")

/** A running registry. */
export interface Registry extends AsyncDisposable {
  /** The variables with which npm installs our packages from it. */
  readonly env: Environment
  /** A home folder whose settings make every package manager install our packages from it. */
  readonly home: string
  /** The variables of the workflow, which may stage a version and no more, as on npm. */
  readonly workflowEnv: Environment
  /** The variables of a maintainer, who may approve and publish. */
  readonly maintainerEnv: Environment
}

/** Starts an empty registry, which the tests' setup has installed. */
export async function startRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-registry-"))
  const port = await findFreePort(0)
  const origin = `http://127.0.0.1:${port}`
  const config = join(folder, "config.yaml") // JSON is YAML.
  writeFileSync(config, JSON.stringify(createConfig(folder)))
  const program = join(registryTools, "verdaccio/bin/verdaccio")
  const args = [program, "--config", config, "--listen", `127.0.0.1:${port}`]
  const start = () => startProgram(process.execPath, args, { cwd: folder })
  let server = start()
  let isClosed = false
  // This pre-release ends if a client stops a download while its file is opened. Package managers try again.
  const startAgain = () => {
    if (isClosed) return
    server = start()
    void server.exitCode.then(startAgain)
  }
  void server.exitCode.then(startAgain)
  const close = async () => {
    isClosed = true
    await stopProgram(server)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitForServer(server, port)
    const workflow = await createToken(origin, "workflow")
    const maintainer = await createToken(origin, "maintainer")
    return {
      home: createHome(join(folder, "home"), origin),
      env: {
        npm_config_globalconfig: writeScope(join(folder, "npmrc"), origin),
        npm_config_prefer_offline: "true",
        npm_config_audit: "false",
        npm_config_fund: "false",
      },
      workflowEnv: logIn(join(folder, "workflow.npmrc"), origin, workflow),
      maintainerEnv: logIn(join(folder, "maintainer.npmrc"), origin, maintainer),
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function createConfig(folder: string) {
  const ours = { access: "$all", stage: "workflow maintainer", publish: "maintainer" }
  return {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    packages: { "@latchkey/*": ours, "**": { access: "$all", publish: [] } },
    flags: { stage: true },
    max_body_size: "100mb",
    web: { enabled: false },
    log: { type: "stdout", format: "json", level: "warn" },
  }
}

/** Registers a user, and returns a token. */
async function createToken(origin: string, name: string): Promise<string> {
  const response = await fetch(`${origin}/-/user/org.couchdb.user:${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: randomUUID() }),
  })
  const { token } = (await response.json()) as { token?: string }
  if (!token) throw new Error(`Verdaccio did not register ${name}: ${response.status}`)
  return token
}

/** Writes the settings of npm, pnpm and Bun into `.npmrc`, and those of Yarn into `.yarnrc.yml`. */
function createHome(folder: string, origin: string): string {
  mkdirSync(folder)
  writeScope(join(folder, ".npmrc"), origin)
  const yarnConfig = {
    npmScopes: { latchkey: { npmRegistryServer: origin } },
    unsafeHttpWhitelist: ["127.0.0.1"],
    enableTelemetry: false,
    // In CI, Yarn refuses to create a lock file.
    enableImmutableInstalls: false,
    // Yarn leaves out versions that are younger than a day.
    npmPreapprovedPackages: ["@latchkey/*"],
  }
  writeFileSync(join(folder, ".yarnrc.yml"), JSON.stringify(yarnConfig))
  return folder
}

/** Writes where our packages are into a file. A variable cannot say it, because shells drop variables with such a name. */
function writeScope(file: string, origin: string): string {
  writeFileSync(file, `@latchkey:registry=${origin}/\n`)
  return file
}

/** Writes the settings of somebody who is logged in, and returns the variable that makes npm read them. */
function logIn(file: string, origin: string, token: string): Environment {
  const credentials = `${origin.replace("http:", "")}/:_authToken=${token}`
  writeFileSync(file, `registry=${origin}/\n${credentials}\n`)
  return { npm_config_userconfig: file }
}
