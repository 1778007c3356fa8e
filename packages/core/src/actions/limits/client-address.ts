import { AuthError } from "../../errors.ts"
import { parseClientNetwork } from "../../http/client-network.ts"
import type { ActionContext } from "../action-context.ts"

/**
 * Logs a warning in production, once, if the address of a client is most likely that of a proxy, which all clients
 * share. Every client can send the headers that cause it.
 */
export function warnOfProxyAddress(context: ActionContext, network: string | undefined): void {
  const { request, config, warnOnce } = context
  if (!config.production) return
  const headers = ["x-forwarded-for", "forwarded"].map((name) => request.headers.get(name) ?? "")
  // Of a long header only the end, because proxies append their part.
  const parts = headers
    .join()
    .slice(-1000)
    .split(/[\s,;="]+/)
  const listed = parts.map(parseClientNetwork).filter((each) => each !== undefined)
  // A framework that trusts its proxy takes the address from these headers.
  const isListed = listed.some((each) => each === network)
  if (listed.length > 0 ? isListed : network) return
  const { message } = new AuthError({
    expected: "the public address of each client, to limit attempts by network",
    received: network ? "an address that `X-Forwarded-For` does not list" : "no public address",
    hint:
      "If a proxy is in front of your application, let your framework trust it: `trust proxy` in Express, " +
      "`ADDRESS_HEADER` and `XFF_DEPTH` in SvelteKit, others in docs/sign-in.md#behind-a-proxy. Otherwise ignore " +
      "this, because clients can send the header themselves.",
  })
  warnOnce("attempt-limits", message)
}
