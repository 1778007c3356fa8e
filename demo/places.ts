/** Where everything is. */

/** A server of the demo. */
interface Place {
  readonly port: number
  readonly origin: string
}

/** The servers of the demo. */
export interface Places {
  readonly app: Place
  readonly tenant: Place
  readonly social: Place
  /** Takes mail by SMTP. */
  readonly mail: { readonly host: string; readonly port: number }
}

/**
 * The places that follow from the application's port. Cookies belong to a host and not to a port: the
 * providers have another host than the application, so that theirs stay apart from its.
 */
export function placesFrom(port: number): Places {
  return {
    app: place("localhost", port),
    tenant: place("127.0.0.1", port + 1),
    social: place("127.0.0.1", port + 2),
    mail: { host: "127.0.0.1", port: port + 3 },
  }
}

function place(host: string, port: number): Place {
  return { port, origin: new URL(`http://${host}:${port}`).origin }
}
