/** `describe`, `test` and `expect` for runtimes that Vitest does not run in. */
export { expect } from "expect"

type Run = () => void | Promise<void>

const tests: { readonly name: string; readonly run: Run }[] = []

export function describe(_name: string, run: () => void): void {
  run()
}

export function test(name: string, run: Run): void {
  tests.push({ name, run })
}

/** Runs the tests one after another, and returns their names with what failed; null if nothing did. */
export async function runTests(): Promise<Record<string, string | null>> {
  const results: Record<string, string | null> = {}
  for (const { name, run } of tests) {
    results[name] = await Promise.resolve(run()).then(
      () => null,
      (error: unknown) => String(error instanceof Error ? error.stack : error),
    )
  }
  return results
}
