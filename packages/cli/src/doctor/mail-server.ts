/** Connects to the mail server of e-mail providers. Sends nothing. */
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { type DoctorContext, listProviders, type ProviderInfo } from "./doctor-context.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createSkippedFinding,
  createWarningFinding,
  describeError,
  type Finding,
} from "./finding.ts"
import { withTimeout } from "./timeout.ts"

/** The part of the package nodemailer that is used here. */
interface Nodemailer {
  createTransport(server: unknown): { verify(): Promise<unknown>; close(): void }
}

export async function* checkMailServers(context: DoctorContext): AsyncGenerator<Finding> {
  const providers = listProviders(context).filter(
    ({ type, options }) => type === "email" && options["server"] !== undefined,
  )
  for (const provider of providers) {
    yield context.online
      ? await verifyMailServer(provider, context.file)
      : createSkippedFinding(
          "mail",
          `The mail server of ${provider.id} was not contacted.`,
          "Add --online.",
        )
  }
}

/** Finds e-mails whose default sender is an address at a host that has no mail. */
export function* checkSenders(context: DoctorContext): Generator<Finding> {
  const { hostname } = context.url
  if (context.isUrlGuessed) return
  for (const { id, type, options } of listProviders(context)) {
    if (type !== "email" || options["server"] === undefined || options["from"] !== undefined)
      continue
    yield createWarningFinding(
      "mail-sender",
      `${id}: e-mails are sent from no-reply@${hostname}, because \`from\` is not set.`,
      "Set `from` to an address that the mail server may send from.",
    )
  }
}

async function verifyMailServer({ id, options }: ProviderInfo, file: string): Promise<Finding> {
  try {
    // The copy of the application, which also sends the messages.
    const nodemailer: Nodemailer = createRequire(resolve(file))("nodemailer")
    const transport = nodemailer.createTransport(options["server"])
    await withTimeout(transport.verify()).finally(() => transport.close())
    return createGoodFinding("mail", `${id}: the mail server accepts the application`)
  } catch (error) {
    return createErrorFinding(
      "mail-fails",
      `${id}: the mail server cannot be used: ${describeError(error)}`,
      /auth|535/i.test(describeError(error))
        ? "Check the user name and the password in `server`."
        : "Check host, port and `secure` in `server`: port 465 uses TLS from the start, port 587 does not.",
    )
  }
}
