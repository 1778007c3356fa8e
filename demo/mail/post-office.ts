/** The SMTP server that takes whatever the application sends. */
import { text } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import { listening, type Running } from "../listen.ts"
import type { Letter, Letters } from "./letters.ts"

/** Largest mail in bytes. */
const largest = 1_048_576

/**
 * Opens the post office.
 *
 * @throws PortUnavailable
 */
export async function openPostOffice(
  { host, port }: { readonly host: string; readonly port: number },
  letters: Letters,
  arrived: (letter: Letter) => void,
): Promise<Running> {
  const smtp = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: largest,
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address)
      text(stream)
        .then((raw) => letters.add(raw, to))
        .then(arrived)
        .then(() => done(), done)
    },
  })
  smtp.on("error", () => undefined) // a client that hangs up half-way is its own affair
  await listening(port, smtp.server, () => smtp.listen(port, host))
  return { close: () => new Promise((resolve) => smtp.close(() => resolve())) }
}
