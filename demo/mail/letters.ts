/** Letters as they came in. */
import PostalMime from "postal-mime"

/** A mail, reduced to what the inbox shows. */
export interface Letter {
  readonly number: number
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly arrived: Date
}

/** What came in since the demo started. */
export interface Letters {
  /** The newest first. */
  list(): readonly Letter[]
  /** How many nobody has looked at yet. */
  unread(): number
  isUnread(letter: Letter): boolean
  markRead(): void
  add(raw: string, to: readonly string[]): Promise<Letter>
}

/** Most letters that are kept. */
const most = 50

export function createLetters(): Letters {
  const letters: Letter[] = []
  let count = 0
  let seen = 0
  return {
    list: () => letters,
    unread: () => letters.filter(({ number }) => number > seen).length,
    isUnread: ({ number }) => number > seen,
    markRead() {
      seen = count
    },
    async add(raw, to) {
      const { subject = "", text = "" } = await PostalMime.parse(raw)
      count += 1
      const letter = {
        number: count,
        to: to.join(", "),
        subject,
        text: text.trim(),
        arrived: new Date(),
      }
      letters.unshift(letter)
      letters.length = Math.min(letters.length, most)
      return letter
    },
  }
}
