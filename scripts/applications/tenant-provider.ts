/** Alder ID, the `oidc-provider` of the demo, for applications under test. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { createTestBrowser } from "@latchkey/testing"
import { openDataFolder } from "../../demo/data-folder.ts"
import type { OAuthClient } from "../../demo/shared/client.ts"
import { createTenantServer } from "../../demo/tenant/tenant-server.ts"

/** A running identity provider. */
export interface TenantProvider {
  /** The issuer. */
  readonly origin: string
  /** Responds with status 503 to everything, until a client is registered. */
  fail(): void
  /** Replaces the client that may use the provider. */
  registerClient(client: OAuthClient): void
  /** Signs Ada in. Returns the redirect URL to the application. */
  approve(authorizationUrl: URL): Promise<URL>
  close(): Promise<void>
}

/** Starts the provider without a client. Keeps its keys in the folder. */
export async function startTenantProvider(folder: string): Promise<TenantProvider> {
  const data = openDataFolder(folder)
  let handler: RequestListener = (_req, res) => void res.end()
  const server = createServer((req, res) => handler(req, res))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    fail() {
      handler = (_req, res) => void res.writeHead(503).end()
    },
    registerClient(client) {
      handler = createTenantServer(origin, client, data)
    },
    approve: (url: URL) => approveAuthorization(origin, url),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Submits the pages of the provider as a browser does. */
async function approveAuthorization(origin: string, authorizationUrl: URL): Promise<URL> {
  const ada = createTestBrowser(origin)
  const authorizationResponse = await ada.open(authorizationUrl)
  const page = new URL(authorizationResponse.headers.get("location") ?? "", origin)
  let response = await ada.post(page, { person: "ada" })
  for (;;) {
    const next = new URL(response.headers.get("location") ?? "", origin)
    if (next.origin !== origin) return next
    response = await ada.followRedirect(response)
  }
}
