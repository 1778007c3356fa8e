export type { Mail } from "./mailbox/mail.ts"
export type { MailboxOptions, MailServer } from "./mailbox/mail-server.ts"
export type { Mailbox, MailFault } from "./mailbox/mailbox.ts"
export { mailbox } from "./mailbox/mailbox.ts"
