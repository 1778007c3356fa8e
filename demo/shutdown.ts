/** When the demo is to end. */

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Stops at the first signal, in good order; at the second one at once. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false
  const end = () => {
    if (isStopping) process.exit(1)
    isStopping = true
    void stop().then(() => process.exit(0))
  }
  for (const signal of stopSignals) process.on(signal, end)
  if (process.env["npm_lifecycle_event"] !== undefined) onParentExit(end)
}

/** Of a signal to npm, the shell between npm and us tells nothing: that it is gone has to be noticed. */
function onParentExit(end: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, 500)
  timer.unref()
}
