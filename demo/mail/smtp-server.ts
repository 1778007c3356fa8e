/** An SMTP server that accepts all mail. */
import { text } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import { type Closable, waitUntilListening } from "../listen.ts"
import type { Inbox, ReceivedEmail } from "./inbox.ts"

/** In bytes. */
const maxSize = 1_048_576

/**
 * Starts the server.
 *
 * @throws PortUnavailable
 */
export async function startSmtpServer(
  { host, port }: { readonly host: string; readonly port: number },
  inbox: Inbox,
  onReceived: (email: ReceivedEmail) => void,
): Promise<Closable> {
  const smtp = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: maxSize,
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address)
      text(stream)
        .then((raw) => inbox.add(raw, to))
        .then(onReceived)
        .then(() => done(), done)
    },
  })
  smtp.on("error", () => undefined) // Clients that disconnect early do not matter.
  await waitUntilListening(port, smtp.server, () => smtp.listen(port, host))
  return { close: () => new Promise((resolve) => smtp.close(() => resolve())) }
}
