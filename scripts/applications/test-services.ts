/** The services that an application under test needs: two identity providers and a mail server. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  createMailbox,
  createScriptedProvider,
  createTestBrowser,
  type Mailbox,
  type ScriptedProvider,
} from "@latchkey/testing"
import { openDataFolder } from "../../demo/data-folder.ts"
import type { OAuthClient } from "../../demo/shared/client.ts"
import { createTenantServer } from "../../demo/tenant/tenant-server.ts"
import type { Environment } from "./catalogue.ts"

export interface TestServices extends AsyncDisposable {
  /** Alder ID, the `oidc-provider` of the demo. */
  readonly tenant: TenantProvider
  /** A plain OAuth provider for `socialidp`. */
  readonly social: ScriptedProvider
  readonly mailbox: Mailbox
  /** A temporary folder that is removed at the end. */
  readonly temporaryFolder: string
  /** The variables with the addresses of the services. */
  readonly env: Environment
}

interface TenantProvider {
  readonly origin: string
  /** Signs Ada in. Returns the redirect URL to the application. */
  approve(authorizationUrl: URL): Promise<URL>
}

/** Starts the services for an application with the given base URL. */
export async function startTestServices(authUrl: string): Promise<TestServices> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-surroundings-"))
  const client: OAuthClient = {
    id: "example",
    secret: "known-to-the-example-and-to-alder-id",
    name: "The example",
    redirectUri: `${authUrl}/callback/tenantidp`,
    homeUrl: new URL(authUrl).origin,
  }
  const tenant = await startTenant(client, folder)
  const social = await createScriptedProvider({ id: "socialidp", dialect: "social" })
  await social.listen()
  const testMailbox = await createMailbox()
  return {
    tenant,
    social,
    mailbox: testMailbox,
    temporaryFolder: folder,
    env: {
      AUTH_TENANTIDP_ID: client.id,
      AUTH_TENANTIDP_SECRET: client.secret,
      AUTH_TENANTIDP_ISSUER: tenant.origin,
      AUTH_SOCIALIDP_ID: social.clientId,
      AUTH_SOCIALIDP_SECRET: social.clientSecret,
      PROBE_SOCIAL: social.issuer,
      PROBE_MAIL_PORT: String(testMailbox.server.port),
    },
    async [Symbol.asyncDispose]() {
      await tenant.close()
      await social.close()
      await testMailbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startTenant(client: OAuthClient, folder: string) {
  let handler: RequestListener = (_req, res) => void res.end()
  const server = createServer((req, res) => handler(req, res))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  handler = createTenantServer(origin, client, openDataFolder(folder))
  return {
    origin,
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
