/** Starts an unchanged example together with Alder ID. */

import { type ServerMode, startServer } from "./application-server.ts"
import { buildApplication } from "./build-application.ts"
import type { Application, ApplicationAddress, Environment } from "./catalogue.ts"
import { startTestServices, type TestServices } from "./test-services.ts"

export interface RunningExample extends AsyncDisposable {
  readonly origin: string
}

/** Builds an example, and starts it at `localhost`. */
export async function startExample(
  application: Application,
  port: number,
  mode?: ServerMode,
  ownEnv: Environment = {},
): Promise<RunningExample> {
  const origin = `http://localhost:${port}`
  const address = { port, origin }
  const folder = await buildApplication({ application, variant: "example", address })
  const services = await startTestServices(origin + application.basePath)
  const env = { ...createExampleEnv(application, address, services), ...ownEnv }
  const server = await startServer(folder, port, env, mode).catch(async (error: unknown) => {
    await services[Symbol.asyncDispose]()
    throw error
  })
  return {
    origin,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await services[Symbol.asyncDispose]()
    },
  }
}

/** Returns the variables of the server of an example. */
export function createExampleEnv(
  application: Application,
  address: ApplicationAddress,
  services: TestServices,
): Environment {
  return {
    AUTH_SECRET: "a secret of the tests, long enough and worth nothing",
    AUTH_URL: address.origin,
    ...application.runEnv(address),
    ...services.env,
  }
}
