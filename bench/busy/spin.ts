/** Keeps a processor and its caches busy until the process is ended: it sorts numbers, again and again. */
const numbers = new Float64Array(1_000_000)
for (;;) {
  for (let index = 0; index < numbers.length; index++) numbers[index] = Math.random()
  numbers.sort()
}
