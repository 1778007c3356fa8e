/** Keeps a processor and its caches busy until the process that started this one ends: sorts numbers, again and again. */
const numbers = new Float64Array(1_000_000)

function sortNumbers(): void {
  for (let index = 0; index < numbers.length; index++) numbers[index] = Math.random()
  numbers.sort()
  setImmediate(sortNumbers)
}

process.once("disconnect", () => process.exit())
sortNumbers()
