import { EventEmitter, once } from "node:events"
import type { AddressInfo, Socket } from "node:net"
import { text } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import type { Mail } from "./mail.ts"
import { readMail } from "./mail.ts"

/** How a mail server fails: security case 98. */
export type MailFault = "reject-sender" | "reject-recipient" | "reject-message" | "drop" | "hang"

/** What a mailer needs to reach the mailbox: options of `nodemailer.createTransport`. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly secure: false
  readonly ignoreTLS: true
}

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
export async function mailbox(): Promise<Mailbox> {
  const messages: Mail[] = []
  const arrivals = new EventEmitter()
  const sockets = new Set<Socket>()
  let fault: MailFault | undefined
  let given = 0

  const smtp = smtpServer({
    fault: () => fault,
    drop: () => hangUp(sockets),
    arrived: (mail) => {
      messages.push(mail)
      arrivals.emit("mail")
    },
  })
  smtp.server.on("connection", (socket: Socket) => void sockets.add(socket))
  smtp.on("error", () => undefined) // broken connections are what some tests are about
  await new Promise<void>((resolve) => void smtp.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const { port } = smtp.server.address() as AddressInfo

  const close = async (): Promise<void> => {
    hangUp(sockets)
    await new Promise<void>((resolve) => void smtp.close(resolve))
  }

  return {
    server: { host: "127.0.0.1", port, secure: false, ignoreTLS: true },
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

function smtpServer({ fault, drop, arrived }: Hooks): SMTPServer {
  return new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onMailFrom(_address, _session, done) {
      if (fault() === "hang") return
      if (fault() === "drop") return drop()
      done(rejection(fault() === "reject-sender", "Sender is not welcome"))
    },
    onRcptTo(_address, _session, done) {
      done(rejection(fault() === "reject-recipient", "No such mailbox"))
    },
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ""
      const to = envelope.rcptTo.map(({ address }) => address)
      const refused = rejection(fault() === "reject-message", "Looks like spam")
      text(stream)
        .then((raw) => (refused ? undefined : readMail(raw, from, to).then(arrived)))
        .then(() => done(refused), done)
    },
  })
}

function rejection(applies: boolean, words: string): Error | undefined {
  return applies ? Object.assign(new Error(words), { responseCode: 550 }) : undefined
}

function hangUp(sockets: Set<Socket>): void {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
}
