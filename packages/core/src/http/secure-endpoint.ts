import { isLoopbackHost } from "./private-hosts.ts"

/** Whether an endpoint may receive codes and secrets. */
export function isSecureEndpoint({ protocol, hostname }: URL, allowInsecure: boolean): boolean {
  if (protocol === "https:") return true
  return protocol === "http:" && (allowInsecure || isLoopbackHost(hostname))
}
