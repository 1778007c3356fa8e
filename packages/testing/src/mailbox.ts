export type { Mail } from "./mailbox/mail.ts"
export type { Mailbox, MailFault } from "./mailbox/mailbox.ts"
export { createMailbox } from "./mailbox/mailbox.ts"
export type { MailboxOptions, SmtpTransportOptions } from "./mailbox/mailbox-options.ts"
