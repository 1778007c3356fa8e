/** The mail that the demo received. */
import PostalMime from "postal-mime"

/** The parts of a mail that the inbox shows. */
export interface ReceivedEmail {
  readonly number: number
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Empty if the mail has none. */
  readonly html: string
  readonly receivedAt: Date
}

export interface Inbox {
  /** Returns the newest first. */
  list(): readonly ReceivedEmail[]
  countUnread(): number
  isUnread(email: ReceivedEmail): boolean
  markRead(): void
  add(raw: string, to: readonly string[]): Promise<ReceivedEmail>
}

/** Mail that the inbox keeps. */
const maxEmails = 50

export function createInbox(): Inbox {
  const emails: ReceivedEmail[] = []
  let count = 0
  let lastRead = 0
  return {
    list: () => emails,
    countUnread: () => emails.filter(({ number }) => number > lastRead).length,
    isUnread: ({ number }) => number > lastRead,
    markRead() {
      lastRead = count
    },
    async add(raw, to) {
      const { subject = "", text = "", html = "" } = await PostalMime.parse(raw)
      count += 1
      const email = {
        number: count,
        to: to.join(", "),
        subject,
        text: text.trim(),
        html,
        receivedAt: new Date(),
      }
      emails.unshift(email)
      emails.length = Math.min(emails.length, maxEmails)
      return email
    },
  }
}
