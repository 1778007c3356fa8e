/**
 * Answers that `localhost` has no IPv6 address, without asking.
 *
 * Playwright's requests ask for both families. Where `/etc/hosts` has only the other one, this goes to the DNS server,
 * and each lost answer costs five seconds. Our servers listen on 127.0.0.1.
 */
import { promises as dns, type LookupAddress, type LookupOptions } from "node:dns"

const { lookup } = dns

Object.assign(dns, {
  async lookup(name: string, options: LookupOptions): Promise<LookupAddress | LookupAddress[]> {
    return name === "localhost" && options?.family === 6 ? [] : lookup(name, options)
  },
})
