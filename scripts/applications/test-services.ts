/** The services that an application under test needs: two identity providers and a mail server. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  createMailbox,
  createScriptedProvider,
  type Mailbox,
  type ScriptedProvider,
} from "@latchkey/testing"
import type { OAuthClient } from "../../demo/shared/client.ts"
import type { Environment } from "./catalogue.ts"
import { startTenantProvider, type TenantProvider } from "./tenant-provider.ts"

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
  const tenant = await startTenantProvider(folder)
  tenant.registerClient(client)
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
