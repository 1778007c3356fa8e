/// <reference lib="esnext.disposable" preserve="true" />
import { EventEmitter, once } from "node:events"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { SMTPServer, SMTPServerOptions } from "smtp-server"
import type { Mail } from "./mail.ts"
import { readMail } from "./mail.ts"
import type { MailboxOptions, MailServer } from "./mail-server.ts"
import { mailServer } from "./mail-server.ts"

/** How a mail server fails: security case 98. `defer` asks to come again later (a temporary 4xx). */
export type MailFault =
  | "reject-sender"
  | "reject-recipient"
  | "reject-message"
  | "defer"
  | "drop"
  | "hang"

/** A mail server that keeps what it gets. */
export interface Mailbox extends AsyncDisposable {
  readonly server: MailServer
  /** Every mail, in order of arrival. */
  readonly messages: readonly Mail[]
  /** Gives the oldest mail that was not given out yet; waits for it. @throws Error after `timeout` milliseconds */
  next(timeout?: number): Promise<Mail>
  /** Gives the first link of the latest mail. @throws Error when there is none */
  latestLink(): string
  /** Fails from now on. */
  misbehave(fault: MailFault): void
  /** Works again. Connections that hang stay as they are. */
  behave(): void
  close(): Promise<void>
}

/** Opens a mail server on a free port of this machine. */
export async function mailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  const messages: Mail[] = []
  const arrivals = new EventEmitter()
  let fault: MailFault | undefined
  let given = 0

  const smtp: SMTPServer = await smtpServer(options, {
    fault: () => fault,
    drop: () => hangUp(smtp),
    arrived: (mail) => {
      messages.push(mail)
      arrivals.emit("mail")
    },
  })
  smtp.on("error", () => undefined) // broken connections are what some tests are about
  await new Promise<void>((resolve) => void smtp.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const { port } = smtp.server.address() as AddressInfo

  const close = async (): Promise<void> => {
    hangUp(smtp)
    await new Promise<void>((resolve) => void smtp.close(resolve))
  }

  return {
    server: mailServer(port, options),
    messages,
    next: async (timeout = 5000) => {
      const signal = AbortSignal.timeout(timeout)
      let mail = messages[given]
      while (!mail) {
        await once(arrivals, "mail", { signal }).catch((cause: unknown) => {
          throw new Error(`No mail arrived within ${timeout} ms.`, { cause })
        })
        mail = messages[given]
      }
      given += 1
      return mail
    },
    latestLink: () => {
      const link = messages.at(-1)?.links[0]
      if (link === undefined)
        throw new Error(`There is no link in the latest of ${messages.length} mails.`)
      return link
    },
    misbehave: (how) => {
      fault = how
    },
    behave: () => {
      fault = undefined
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Hooks {
  fault(): MailFault | undefined
  drop(): void
  arrived(mail: Mail): void
}

async function smtpServer(options: MailboxOptions, hooks: Hooks): Promise<SMTPServer> {
  const { security = "none", auth } = options
  // Loaded when a mailbox is opened: whoever tests without mails has no use for it.
  const { SMTPServer } = await import("smtp-server")
  return new SMTPServer({
    ...answers(hooks),
    secure: security === "tls",
    disabledCommands: [...(security === "starttls" ? [] : ["STARTTLS"]), ...(auth ? [] : ["AUTH"])],
    authOptional: auth === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const known = auth && auth.user === username && auth.pass === password
      if (known) done(null, { user: username })
      else done(refusal(535, "Wrong name or password"))
    },
  })
}

function answers({ fault, drop, arrived }: Hooks): SMTPServerOptions {
  const refused = (how: MailFault, code: number, words: string): Error | undefined =>
    fault() === how ? refusal(code, words) : undefined
  return {
    onMailFrom(_address, _session, done) {
      if (fault() === "hang") return
      if (fault() === "drop") return drop()
      done(
        refused("reject-sender", 550, "Sender is not welcome") ??
          refused("defer", 451, "Come again later"),
      )
    },
    onRcptTo(_address, _session, done) {
      done(refused("reject-recipient", 550, "No such mailbox"))
    },
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ""
      const to = envelope.rcptTo.map(({ address }) => address)
      const spam = refused("reject-message", 550, "Looks like spam")
      text(stream)
        .then((raw) => (spam ? undefined : readMail(raw, from, to).then(arrived)))
        .then(() => done(spam), done)
    },
  }
}

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode })
}

/** Ends connections from the top: whoever ends the socket below a TLS one ends the process. */
function hangUp({ connections }: SMTPServer): void {
  for (const { _socket: socket } of connections) socket.destroy()
}
