/** Starts the application of a recipe, with an identity provider in its environment. */
import type { AddressInfo } from "node:net"
import type { AuthConfig } from "@latchkey/core"
import type { ScriptedProvider } from "@latchkey/testing"
import { vi } from "vitest"
import { startKeycloak } from "./keycloak.ts"

/** Evaluates the files of a recipe, and starts its server on a free port. */
export type StartRecipe = () => Promise<{
  readonly config: AuthConfig
  readonly server: { address(): AddressInfo | string | null }
  close(): unknown
}>

export interface RunningRecipe {
  readonly config: AuthConfig
  readonly port: number
  readonly url: string
  readonly provider: ScriptedProvider
  close(): Promise<void>
}

/** Starts a recipe with variables of its environment. */
export async function startRecipe(
  start: StartRecipe,
  variables: Record<string, string> = {},
): Promise<RunningRecipe> {
  const { provider, environment: providerEnvironment } = await startKeycloak()
  const environment = {
    AUTH_SECRET: "the secret of the recipes, of 32 characters and more",
    ...providerEnvironment,
    ...variables,
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  vi.spyOn(console, "error").mockReturnValue()
  vi.resetModules() // the files read the environment when they are evaluated
  const { server, config, close } = await start()
  const { port } = server.address() as AddressInfo
  return {
    config: { ...config, secret: environment.AUTH_SECRET },
    port,
    url: `http://127.0.0.1:${port}`,
    provider,
    async close() {
      await close()
      await provider.close()
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    },
  }
}
