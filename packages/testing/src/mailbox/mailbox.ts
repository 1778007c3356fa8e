/// <reference lib="esnext.disposable" preserve="true" />
import { EventEmitter, once } from "node:events"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { SMTPServer, SMTPServerOptions } from "smtp-server"
import type { Mail } from "./mail.ts"
import { parseMail } from "./mail.ts"
import type { MailboxOptions, SmtpTransportOptions } from "./mailbox-options.ts"
import { createSmtpTransportOptions } from "./mailbox-options.ts"

/** How a mail server fails. `defer` asks the client to retry later (a temporary 4xx code). */
export type MailFault =
  | "reject-sender"
  | "reject-recipient"
  | "reject-message"
  | "defer"
  | "drop"
  | "hang"

/** A mail server that keeps all mails. */
export interface Mailbox extends AsyncDisposable {
  readonly server: SmtpTransportOptions
  /** Every mail, in order of arrival. */
  readonly messages: readonly Mail[]
  /**
   * Returns the oldest mail that this method has not returned yet, or waits for one. @throws Error after `timeout`
   * milliseconds
   */
  waitForMail(timeout?: number): Promise<Mail>
  /** Returns the first link of the latest mail. @throws Error if there is none */
  getLatestLink(): string
  /** Returns the six-digit code of the latest mail, which signs in where it was requested. @throws Error if there is none */
  code(): string
  /** Makes the server fail from now on. */
  injectFault(fault: MailFault): void
  /** Makes the server work again. Connections that hang remain. */
  clearFault(): void
  close(): Promise<void>
}

/** Starts a mail server on a free local port. */
export async function createMailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  const messages: Mail[] = []
  const arrivals = new EventEmitter()
  let fault: MailFault | undefined
  let deliveredCount = 0

  const smtp: SMTPServer = await createSmtpServer(options, {
    getFault: () => fault,
    dropConnections: () => destroyConnections(smtp),
    onMail: (mail) => {
      messages.push(mail)
      arrivals.emit("mail")
    },
  })
  smtp.on("error", () => undefined) // broken connections are what some tests are about
  await new Promise<void>((resolve) => void smtp.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const { port } = smtp.server.address() as AddressInfo

  const close = async (): Promise<void> => {
    destroyConnections(smtp)
    await new Promise<void>((resolve) => void smtp.close(resolve))
  }

  return {
    server: createSmtpTransportOptions(port, options),
    messages,
    waitForMail: async (timeout = 5000) => {
      const signal = AbortSignal.timeout(timeout)
      let mail = messages[deliveredCount]
      while (!mail) {
        await once(arrivals, "mail", { signal }).catch((cause: unknown) => {
          throw new Error(`No mail arrived within ${timeout} ms.`, { cause })
        })
        mail = messages[deliveredCount]
      }
      deliveredCount += 1
      return mail
    },
    getLatestLink: () => {
      const link = messages.at(-1)?.links[0]
      if (link === undefined)
        throw new Error(`The latest of ${messages.length} mails contains no link.`)
      return link
    },
    code: () => {
      const code = messages.at(-1)?.code
      if (code === undefined)
        throw new Error(`The latest of ${messages.length} mails contains no six-digit code.`)
      return code
    },
    injectFault: (newFault) => {
      fault = newFault
    },
    clearFault: () => {
      fault = undefined
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface SmtpServerHooks {
  getFault(): MailFault | undefined
  dropConnections(): void
  onMail(mail: Mail): void
}

async function createSmtpServer(
  options: MailboxOptions,
  hooks: SmtpServerHooks,
): Promise<SMTPServer> {
  const { security = "none", auth } = options
  // Loaded on demand, because tests without mails do not need it.
  const { SMTPServer } = await import("smtp-server")
  return new SMTPServer({
    ...createSmtpHandlers(hooks),
    secure: security === "tls",
    disabledCommands: [...(security === "starttls" ? [] : ["STARTTLS"]), ...(auth ? [] : ["AUTH"])],
    authOptional: auth === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const isAuthorized = auth && auth.user === username && auth.pass === password
      if (isAuthorized) done(null, { user: username })
      else done(createSmtpError(535, "Wrong name or password"))
    },
  })
}

function createSmtpHandlers({
  getFault,
  dropConnections,
  onMail,
}: SmtpServerHooks): SMTPServerOptions {
  const createFaultError = (
    expectedFault: MailFault,
    code: number,
    message: string,
  ): Error | undefined =>
    getFault() === expectedFault ? createSmtpError(code, message) : undefined
  return {
    onMailFrom(_address, _session, done) {
      if (getFault() === "hang") return
      if (getFault() === "drop") return dropConnections()
      done(
        createFaultError("reject-sender", 550, "Sender is not welcome") ??
          createFaultError("defer", 451, "Come again later"),
      )
    },
    onRcptTo(_address, _session, done) {
      done(createFaultError("reject-recipient", 550, "No such mailbox"))
    },
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ""
      const to = envelope.rcptTo.map(({ address }) => address)
      const rejection = createFaultError("reject-message", 550, "Looks like spam")
      text(stream)
        .then((raw) => (rejection ? undefined : parseMail(raw, from, to).then(onMail)))
        .then(() => done(rejection), done)
    },
  }
}

function createSmtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** Destroys connections from the outermost socket: destroying the socket below a TLS one would end the process. */
function destroyConnections({ connections }: SMTPServer): void {
  for (const { _socket: socket } of connections) socket.destroy()
}
