/** A stable deployment whose redirect URI the provider knows, and previews that borrow it. */
import { Auth } from "@latchkey/core"
import {
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import { createMemoryLog, type MemoryLog } from "./memory-log.ts"
import { type TestSiteConfig, testSiteSecret } from "./test-site.ts"

export const stableOrigin = "https://app.example"
export const stableCallback = `${stableOrigin}/auth/callback/scripted`

/** A deployment of the application with its own origin. */
interface Deployment {
  readonly config: TestSiteConfig
  readonly log: MemoryLog
  readonly handle: (request: Request) => Promise<Response>
  openBrowser(): TestBrowser
}

export interface Deployments {
  readonly provider: ScriptedProvider
  readonly proxy: Deployment
  deploy(origin: string, changes?: Partial<TestSiteConfig>): Deployment
}

/** Deployments with one secret and one provider, which knows the redirect URI of the stable one only. */
export async function createDeployments(
  changes: Partial<TestSiteConfig> = {},
): Promise<Deployments> {
  const provider = await createScriptedProvider({ redirectUris: [stableCallback] })
  const deploy = (origin: string, configChanges: Partial<TestSiteConfig> = {}): Deployment => {
    const log = createMemoryLog()
    const config: TestSiteConfig = {
      providers: [provider.asOidc()],
      secret: testSiteSecret,
      trustHost: true,
      redirectProxyUrl: `${stableOrigin}/auth`,
      redirectProxyOrigins: ["https://*.app.example"],
      logger: log.logger,
      ...configChanges,
    }
    const handle = (request: Request) => Auth(request, config)
    return { config, log, handle, openBrowser: () => createTestBrowser(handle, { origin }) }
  }
  return { provider, deploy, proxy: deploy(stableOrigin, changes) }
}

/** How the stable deployment handles a response of the provider, to which the browser was redirected. */
export function openAtProxy({ proxy }: Deployments, url: string | URL): Promise<Response> {
  return proxy.openBrowser().open(url, { from: "https://idp.example" })
}
