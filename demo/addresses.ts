/** Where everything is. */

/** A server of the demo. */
interface ServerAddress {
  readonly port: number
  readonly origin: string
}

/** The servers of the demo. */
export interface ServerAddresses {
  readonly app: ServerAddress
  readonly tenant: ServerAddress
  readonly social: ServerAddress
  /** Takes mail by SMTP. */
  readonly mail: { readonly host: string; readonly port: number }
}

/**
 * The places that follow from the application's port. Cookies belong to a host and not to a port: the
 * providers have another host than the application, so that theirs stay apart from its.
 */
export function createAddresses(port: number): ServerAddresses {
  return {
    app: createAddress("localhost", port),
    tenant: createAddress("127.0.0.1", port + 1),
    social: createAddress("127.0.0.1", port + 2),
    mail: { host: "127.0.0.1", port: port + 3 },
  }
}

function createAddress(host: string, port: number): ServerAddress {
  return { port, origin: new URL(`http://${host}:${port}`).origin }
}
