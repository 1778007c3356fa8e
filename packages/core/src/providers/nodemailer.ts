import { createTransport } from "nodemailer"
import { AuthError, EmailSignInError } from "../errors.ts"
import { createMailFunctions } from "./mail-functions.ts"
import type { EmailConfig, EmailUserConfig } from "./types.ts"

/** A provider that sends sign-in links by SMTP. */
export type NodemailerConfig = EmailConfig

/** The options of an e-mail provider. */
export type NodemailerUserConfig = EmailUserConfig

/** The options of {@link nodemailer}. */
export type NodemailerOptions = EmailUserConfig & {
  /** A connection URL such as `smtp://user:password@smtp.example.com:587`, or the options of a transport. */
  server: unknown
}

/**
 * Sends sign-in links by SMTP with the package `nodemailer`, which the application installs.
 *
 * @throws AuthError when `server` is missing
 */
export default function nodemailer(options: NodemailerOptions): EmailConfig {
  if (!options?.server) {
    throw new AuthError({
      summary: "The nodemailer provider requires `server`, a connection URL or transport options.",
    })
  }
  return {
    id: "nodemailer",
    name: "Email",
    type: "email",
    maxAge: 86_400,
    ...createMailFunctions(async ({ to, ...message }, { server }) => {
      const transport = createTransport(server)
      const result = await transport.sendMail({ to: { name: "", address: to }, ...message })
      const failed = [...(result.rejected ?? []), ...(result.pending ?? [])]
      if (failed.length > 0) {
        throw new EmailSignInError({ summary: "The mail server rejected the address." })
      }
    }),
    options,
  }
}
