/** Checks that clients cannot choose the host that passkeys and links in e-mails depend on. */
import { AuthError, InvalidOption } from "../errors.ts"
import { isLoopbackHost } from "../http/private-hosts.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

type HostConfig = Pick<
  ResolvedConfig,
  "allowedHosts" | "authUrlOrigin" | "development" | "providers"
>

/** Returns an error for each relying party whose passkeys any sub-domain in a `Host` header could use. */
export function checkRelyingParties(config: HostConfig): AuthError[] {
  return getHostDependentProviders(config).flatMap((provider) => {
    if (provider.type !== "webauthn" || provider.getRelayingParty) return []
    const { relyingParties } = provider
    const id = relyingParties.kind === "request" ? relyingParties.id : undefined
    if (id === undefined || isLoopbackHost(id)) return []
    const option = `providers.${provider.id}.relayingParty.origin`
    const expected = `\`${option}\` to be the origin of your pages, because \`relayingParty.id\` is set`
    const hint = "Set `relayingParty.origin`, or AUTH_URL, or list your hosts in `trustHost`."
    return [new InvalidOption({ option, expected, received: "nothing", hint })]
  })
}

/** Returns a warning if links in e-mails lead to whatever host a request names. */
export function checkEmailLinkHost(config: HostConfig): AuthError[] {
  if (!getHostDependentProviders(config).some(({ type }) => type === "email")) return []
  const expected =
    "AUTH_URL or a list of hosts, because links in e-mails lead to the host of the request"
  const hint = 'Set AUTH_URL, or list your hosts: `trustHost: ["example.com"]`.'
  return [new AuthError({ option: "trustHost", expected, hint })]
}

/** Returns the providers, unless this is development or it is known which hosts are the application's own. */
function getHostDependentProviders(config: HostConfig): readonly ResolvedProvider[] {
  const { allowedHosts, authUrlOrigin, development, providers } = config
  return development || allowedHosts || authUrlOrigin ? [] : [...providers.values()]
}
