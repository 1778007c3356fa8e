/** What an application under test finds around it: two identity providers and a post office. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  browser,
  type Mailbox,
  mailbox,
  type ScriptedProvider,
  scriptedProvider,
} from "@latchkey/testing"
import { openDataFolder } from "../../demo/data-folder.ts"
import type { Client } from "../../demo/shared/client.ts"
import { createTenant } from "../../demo/tenant/tenant.ts"
import type { Environment } from "./catalogue.ts"

export interface Surroundings extends AsyncDisposable {
  /** Alder ID of the demo, which is `oidc-provider`. */
  readonly tenant: Tenant
  /** A plain OAuth provider, as `socialidp` expects it. */
  readonly social: ScriptedProvider
  readonly mailbox: Mailbox
  /** A folder that is removed at the end. */
  readonly temporary: string
  /** What tells the application where all this is. */
  readonly env: Environment
}

interface Tenant {
  readonly origin: string
  /** Signs Ada in, and gives the address to which the provider sends her back. */
  approve(authorizationUrl: URL): Promise<URL>
}

/** Opens everything for an application whose routes are at an address. */
export async function openSurroundings(routes: string): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-surroundings-"))
  const client: Client = {
    id: "example",
    secret: "known-to-the-example-and-to-alder-id",
    name: "The example",
    redirectUri: `${routes}/callback/tenantidp`,
    home: new URL(routes).origin,
  }
  const tenant = await openTenant(client, folder)
  const social = await scriptedProvider({ id: "socialidp", dialect: "social" })
  await social.listen()
  const box = await mailbox()
  return {
    tenant,
    social,
    mailbox: box,
    temporary: folder,
    env: {
      AUTH_TENANTIDP_ID: client.id,
      AUTH_TENANTIDP_SECRET: client.secret,
      AUTH_TENANTIDP_ISSUER: tenant.origin,
      AUTH_SOCIALIDP_ID: social.clientId,
      AUTH_SOCIALIDP_SECRET: social.clientSecret,
      PROBE_SOCIAL: social.issuer,
      PROBE_MAIL_PORT: String(box.server.port),
    },
    async [Symbol.asyncDispose]() {
      await tenant.close()
      await social.close()
      await box.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openTenant(client: Client, folder: string) {
  let handler: RequestListener = (_req, res) => void res.end()
  const server = createServer((req, res) => handler(req, res))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  handler = createTenant(origin, client, openDataFolder(folder))
  return {
    origin,
    approve: (url: URL) => approveAt(origin, url),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Goes through the pages of the provider as a browser does. */
async function approveAt(origin: string, authorizationUrl: URL): Promise<URL> {
  const ada = browser(origin)
  const asked = await ada.open(authorizationUrl)
  const page = new URL(asked.headers.get("location") ?? "", origin)
  let answer = await ada.post(page, { person: "ada" })
  for (;;) {
    const next = new URL(answer.headers.get("location") ?? "", origin)
    if (next.origin !== origin) return next
    answer = await ada.follow(answer)
  }
}
