/** How a mail server and its clients talk. */
export interface MailboxOptions {
  /**
   * `starttls` and `tls` have a certificate that nobody signed, which `server` tells the mailer to take.
   * @defaultValue "none"
   */
  security?: "none" | "starttls" | "tls"
  /** Whom the server lets send. Anybody by default. */
  auth?: { readonly user: string; readonly pass: string }
}

/** What a mailer needs to reach the mailbox: options of `nodemailer.createTransport`. */
export interface SmtpTransportOptions {
  readonly host: string
  readonly port: number
  /** TLS from the first byte on. */
  readonly secure: boolean
  readonly ignoreTLS?: true
  readonly requireTLS?: true
  readonly tls?: { readonly rejectUnauthorized: false }
  readonly auth?: { readonly user: string; readonly pass: string }
}

/** What a mailer is told of a server that listens on a port of this machine. */
export function createSmtpTransportOptions(
  port: number,
  { security = "none", auth }: MailboxOptions,
): SmtpTransportOptions {
  const tls = { rejectUnauthorized: false } as const
  const optionsBySecurity = {
    none: { secure: false, ignoreTLS: true },
    starttls: { secure: false, requireTLS: true, tls },
    tls: { secure: true, tls },
  } as const
  return { host: "127.0.0.1", port, ...optionsBySecurity[security], ...(auth && { auth }) }
}
