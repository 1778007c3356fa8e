/** Notes when a program starts, before its file is read and compiled, and runs it. */
globalThis.programStart = { time: performance.now(), cpu: process.cpuUsage() }
await import(process.argv[2])
