/** Maximum number of messages that wait to be read. */
const maxWaitingMessages = 100

/** The functions that a queue of messages calls. */
interface MessageHandlers {
  /** Reads what a message announces. */
  read(message: string): Promise<void>
  /** Called if that fails. */
  onFailed(error: unknown): void
  /** Called for each message that cannot wait. */
  onMissed(): void
}

/**
 * Reads what messages announce, one after another. Other users of the server can send any number of them, which must
 * not delay the commands of the application.
 *
 * @returns a function to call with each message
 */
export function createMessageQueue({
  read,
  onFailed,
  onMissed,
}: MessageHandlers): (message: string) => void {
  const waitingMessages = new Set<string>()
  let isReading = false

  async function readAll(): Promise<void> {
    isReading = true
    // Includes the messages that are added meanwhile.
    for (const message of waitingMessages) {
      waitingMessages.delete(message)
      await read(message).catch(onFailed)
    }
    isReading = false
  }

  return (message) => {
    if (waitingMessages.size >= maxWaitingMessages) return onMissed()
    waitingMessages.add(message)
    if (!isReading) void readAll()
  }
}
