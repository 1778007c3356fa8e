/** Servers that the doctor contacts. They stop after the test. */
import { createServer, type RequestListener } from "node:http"
import {
  createScriptedProvider,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from "@latchkey/testing"
import { onTestFinished } from "vitest"

export async function startProvider(
  options: ScriptedProviderOptions = {},
): Promise<ScriptedProvider> {
  const provider = await createScriptedProvider(options)
  await provider.listen()
  onTestFinished(() => provider.close())
  return provider
}

/** Starts a server on a free port, and returns its origin. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new TypeError("No port")
  return `http://127.0.0.1:${address.port}`
}
