interface ServerAddress {
  readonly port: number
  readonly origin: string
}

/** The addresses of the demo's servers. */
export interface ServerAddresses {
  readonly app: ServerAddress
  readonly tenant: ServerAddress
  readonly social: ServerAddress
  /** Receives mail by SMTP. */
  readonly mail: { readonly host: string; readonly port: number }
}

/**
 * Returns the addresses for the application's port. Cookies belong to a host and not to a port, so the providers have
 * another host than the application.
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
