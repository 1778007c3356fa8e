const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Stops gracefully at the first signal, and immediately at the second. */
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

/** npm's shell does not forward signals, so the process detects that its parent has exited. */
function onParentExit(end: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, 500)
  timer.unref()
}
