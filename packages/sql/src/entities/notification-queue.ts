/** Maximum number of keys that wait to be read. */
const maxWaitingKeys = 100
/** How long a read may take before those that wait count as missed, in milliseconds. */
const maxReadTime = 2000

/**
 * Reads what notifications name, one after another. Every user of the server can send any number of them, which must
 * not use up the connections of the application.
 *
 * @param onMissed called for each notification that cannot be read soon, or at all
 * @returns a function to call with the key that a notification contains
 */
export function createNotificationQueue(
  read: (key: string) => Promise<void>,
  onMissed: () => void,
): (key: string) => void {
  const waitingKeys = new Set<string>()
  let readStartedAt: number | undefined

  async function readAll(): Promise<void> {
    // Includes the keys that are added meanwhile.
    for (const key of waitingKeys) {
      waitingKeys.delete(key)
      readStartedAt = Date.now()
      await read(key).catch(onMissed)
    }
    readStartedAt = undefined
  }

  return (key) => {
    const isFull = waitingKeys.size >= maxWaitingKeys
    if (!isFull) waitingKeys.add(key)
    if (readStartedAt === undefined) void readAll()
    else if (isFull || Date.now() - readStartedAt > maxReadTime) onMissed()
  }
}
