/**
 * A package registry on this machine, Verdaccio, which has staged publication as npm has it. It has our packages alone:
 * all others come from the usual registry.
 */
import { randomUUID } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { findFreePort, waitForServer } from "../applications/application-server.ts"
import type { Environment } from "../applications/catalogue.ts"
import { startProgram, stopProgram } from "../applications/command.ts"
import { runScript } from "../test-setup/run-script.ts"

/** The folder with the registry and the package managers. */
export const registryTools = resolve("compat/registry/node_modules")

/** A running registry. */
export interface Registry extends AsyncDisposable {
  readonly origin: string
  /** The variables with which package managers install our packages from it. */
  readonly env: Environment
  /** The variables of the workflow, which may stage a version and no more, as on npm. */
  readonly workflowEnv: Environment
  /** The variables of a maintainer, who may approve and publish. */
  readonly maintainerEnv: Environment
}

/** Starts an empty registry. */
export async function startRegistry(): Promise<Registry> {
  runScript("scripts/compat-install.ts", "compat/registry")
  const folder = mkdtempSync(join(tmpdir(), "latchkey-registry-"))
  const port = await findFreePort(0)
  const origin = `http://127.0.0.1:${port}`
  const config = join(folder, "config.yaml") // JSON is YAML.
  writeFileSync(config, JSON.stringify(createConfig(folder)))
  const program = join(registryTools, "verdaccio/bin/verdaccio")
  const args = [program, "--config", config, "--listen", `127.0.0.1:${port}`]
  const server = startProgram(process.execPath, args, { cwd: folder })
  const close = async () => {
    await stopProgram(server)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitForServer(server, port)
    const workflow = await createToken(origin, "workflow")
    const maintainer = await createToken(origin, "maintainer")
    return {
      origin,
      env: createHome(join(folder, "reader"), origin),
      workflowEnv: createHome(join(folder, "workflow"), origin, workflow),
      maintainerEnv: createHome(join(folder, "maintainer"), origin, maintainer),
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

/**
 * Creates a folder with the settings of package managers: those of npm, pnpm and Bun in `.npmrc`, those of Yarn in
 * `.yarnrc.yml`. Returns the variables that make them read it.
 */
function createHome(folder: string, origin: string, token?: string): Environment {
  mkdirSync(folder)
  const npmConfig = join(folder, ".npmrc")
  const settings = token
    ? `registry=${origin}/\n${origin.replace("http:", "")}/:_authToken=${token}\n`
    : `@latchkey:registry=${origin}/\nprefer-offline=true\n`
  writeFileSync(npmConfig, settings)
  const yarnConfig = {
    npmScopes: { latchkey: { npmRegistryServer: origin } },
    unsafeHttpWhitelist: ["127.0.0.1"],
    enableTelemetry: false,
    // Yarn and pnpm leave out versions that are younger than a day.
    npmPreapprovedPackages: ["@latchkey/*"],
  }
  writeFileSync(join(folder, ".yarnrc.yml"), JSON.stringify(yarnConfig))
  return {
    HOME: folder,
    npm_config_userconfig: npmConfig,
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    pnpm_config_minimum_release_age: "0",
  }
}
