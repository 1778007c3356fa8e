/** An example as it is, beside Alder ID. */
import type { Application } from "./catalogue.ts"
import { prepare } from "./prepare.ts"
import { type Mode, serveApplication } from "./server.ts"
import { openSurroundings } from "./surroundings.ts"

export interface OpenExample extends AsyncDisposable {
  readonly origin: string
}

/** Builds an example, and starts it at `localhost`. */
export async function openExample(
  application: Application,
  port: number,
  mode?: Mode,
): Promise<OpenExample> {
  const origin = `http://localhost:${port}`
  const place = { port, origin }
  const folder = await prepare({ application, variant: "example", place })
  const around = await openSurroundings(origin + application.basePath)
  const env = {
    AUTH_SECRET: "a secret of the tests, long enough and worth nothing",
    AUTH_URL: origin,
    ...application.runFor(place),
    ...around.env,
  }
  const server = await serveApplication(folder, port, env, mode).catch(async (error: unknown) => {
    await around[Symbol.asyncDispose]()
    throw error
  })
  return {
    origin,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await around[Symbol.asyncDispose]()
    },
  }
}
