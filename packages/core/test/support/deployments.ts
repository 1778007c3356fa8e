/** A stable deployment whose redirect URI the provider knows, and previews that borrow it. */
import { Auth } from "@latchkey/core"
import { type Browser, browser, type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { type SiteConfig, siteSecret } from "./front-door.ts"
import { type KeptLog, keptLog } from "./kept-log.ts"

export const stable = "https://app.example"
export const stableCallback = `${stable}/auth/callback/scripted`

/** A deployment of the application under an origin of its own. */
interface Deployment {
  readonly config: SiteConfig
  readonly log: KeptLog
  readonly handle: (request: Request) => Promise<Response>
  visitor(): Browser
}

export interface Deployments {
  readonly provider: ScriptedProvider
  readonly proxy: Deployment
  deploy(origin: string, changes?: Partial<SiteConfig>): Deployment
}

/** Deployments with one secret and one provider, which knows the redirect URI of the stable one only. */
export async function deployments(changes: Partial<SiteConfig> = {}): Promise<Deployments> {
  const provider = await scriptedProvider({ redirectUris: [stableCallback] })
  const deploy = (origin: string, own: Partial<SiteConfig> = {}): Deployment => {
    const log = keptLog()
    const config: SiteConfig = {
      providers: [provider.asOidc()],
      secret: siteSecret,
      trustHost: true,
      redirectProxyUrl: `${stable}/auth`,
      logger: log.logger,
      ...own,
    }
    const handle = (request: Request) => Auth(request, config)
    return { config, log, handle, visitor: () => browser(handle, { origin }) }
  }
  return { provider, deploy, proxy: deploy(stable, changes) }
}

/** What the stable deployment does with an answer of the provider: the person's browser follows the redirect there. */
export function atProxy({ proxy }: Deployments, url: string | URL): Promise<Response> {
  return proxy.visitor().open(url, { from: "https://idp.example" })
}
