/** When the demo is to end. */

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Stops at the first signal, in good order; at the second one at once. */
export function stopWhenAsked(stop: () => Promise<void>): void {
  let stopping = false
  const end = () => {
    if (stopping) process.exit(1)
    stopping = true
    void stop().then(() => process.exit(0))
  }
  for (const signal of signals) process.on(signal, end)
  if (process.env["npm_lifecycle_event"] !== undefined) onceOrphaned(end)
}

/** Of a signal to npm, the shell between npm and us tells nothing: that it is gone has to be noticed. */
function onceOrphaned(end: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, 500)
  timer.unref()
}
