/** Options of a mail server. */
export interface MailboxOptions {
  /**
   * `starttls` and `tls` use a self-signed certificate, which the transport options make the client accept.
   * @defaultValue "none"
   */
  security?: "none" | "starttls" | "tls"
  /** Required credentials. By default anybody may send. */
  auth?: { readonly user: string; readonly pass: string }
}

/** Options of `nodemailer.createTransport` that connect to the mailbox. */
export interface SmtpTransportOptions {
  readonly host: string
  readonly port: number
  /** Whether TLS starts with the first byte. */
  readonly secure: boolean
  readonly ignoreTLS?: true
  readonly requireTLS?: true
  readonly tls?: { readonly rejectUnauthorized: false }
  readonly auth?: { readonly user: string; readonly pass: string }
}

/** Creates the transport options for a server on a local port. */
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
