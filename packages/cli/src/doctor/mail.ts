/** Says hello to the mail server of e-mail providers. Nothing is sent. */
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { inTime } from "./deadline.ts"
import { described, type Finding, good, skipped, wrong } from "./finding.ts"
import { type ProviderFacts, providersOf, type Subject } from "./subject.ts"

/** What is used of the package nodemailer. */
interface Nodemailer {
  createTransport(server: unknown): { verify(): Promise<unknown>; close(): void }
}

export async function* mailFindings(subject: Subject): AsyncGenerator<Finding> {
  const providers = providersOf(subject).filter(
    ({ type, facts }) => type === "email" && facts["server"] !== undefined,
  )
  for (const provider of providers) {
    yield subject.online
      ? await hello(provider, subject.file)
      : skipped("mail", `The mail server of ${provider.id} was not asked.`, "Add --online.")
  }
}

async function hello({ id, facts }: ProviderFacts, file: string): Promise<Finding> {
  try {
    // The application's own copy, which is the one that will send.
    const nodemailer: Nodemailer = createRequire(resolve(file))("nodemailer")
    const transport = nodemailer.createTransport(facts["server"])
    await inTime(transport.verify()).finally(() => transport.close())
    return good("mail", `${id}: the mail server lets the application in`)
  } catch (error) {
    return wrong(
      "mail-fails",
      `${id}: the mail server cannot be used: ${described(error)}`,
      /auth|535/i.test(described(error))
        ? "Check the user name and the password in `server`."
        : "Check host, port and `secure` in `server`: 587 begins in the clear, 465 does not.",
    )
  }
}
