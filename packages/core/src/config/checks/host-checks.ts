/** Checks that clients cannot choose the host that passkeys and links in e-mails depend on. */
import { AuthError, InvalidOption } from "../../errors.ts"
import { isLoopbackHost } from "../../http/private-hosts.ts"
import type { ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { ResolvedConfig } from "../resolved-config.ts"

/** The options that tell which hosts are the application's own. */
export type HostOptions = Pick<ResolvedConfig, "allowedHosts" | "authUrlOrigin" | "development">

/** Returns an error for a relying party whose passkeys any sub-domain in a `Host` header could use. */
export function checkRelyingParty(provider: ResolvedProvider, hosts: HostOptions): AuthError[] {
  if (areHostsKnown(hosts) || provider.type !== "webauthn" || provider.getRelayingParty) return []
  const { relyingParties } = provider
  const id = relyingParties.kind === "request" ? relyingParties.id : undefined
  if (id === undefined || isLoopbackHost(id)) return []
  const option = `providers.${provider.id}.relayingParty.origin`
  const expected = `\`${option}\` to be the origin of your pages, because \`relayingParty.id\` is set`
  const hint = "Set `relayingParty.origin`, or AUTH_URL, or list your hosts in `trustHost`."
  const details = { option, provider: provider.id, expected, received: "nothing", hint }
  return [new InvalidOption(details)]
}

/** Returns a warning if links in e-mails lead to whatever host a request names. */
export function checkEmailLinkHost(
  config: HostOptions & Pick<ResolvedConfig, "providers">,
): AuthError[] {
  const hasEmail = [...config.providers.values()].some(({ type }) => type === "email")
  if (!hasEmail || areHostsKnown(config)) return []
  const expected =
    "AUTH_URL or a list of hosts, because links in e-mails lead to the host of the request"
  const hint = 'Set AUTH_URL, or list your hosts: `trustHost: ["example.com"]`.'
  return [new AuthError({ option: "trustHost", expected, received: "neither", hint })]
}

/** Whether the hosts are known, or this is development. */
function areHostsKnown({ allowedHosts, authUrlOrigin, development }: HostOptions): boolean {
  return development || allowedHosts !== undefined || authUrlOrigin !== undefined
}
