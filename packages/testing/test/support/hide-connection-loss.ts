/** Hides that the connection was lost. The result has the right type for every method. */
export function hideConnectionLoss(work: () => unknown, fallback: unknown): Promise<never> {
  const recoverFromLoss = (error: unknown) => {
    if (String(error).includes("connection lost")) return fallback
    throw error
  }
  return (async () => work())().catch(recoverFromLoss) as Promise<never>
}
