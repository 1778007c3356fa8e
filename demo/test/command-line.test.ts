import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readOptions, UsageError } from "../options.ts"
import {
  findFreePorts,
  type RunningDemo,
  runDemo,
  startDemo,
  temporaryFolder,
} from "./support/demo.ts"

describe("the demo", () => {
  test("prints the URLs, serves them, logs no warnings, and stops all servers", async () => {
    using folder = temporaryFolder()
    const demo = await startDemo(folder.path)

    const home = await fetch(demo.origin)
    expect(home.status).toBe(200)
    expect(await home.text()).toContain("Sign in")
    const { code, output } = await demo.stop()
    expect(code).toBe(0)
    await expectStopped(demo)

    expect(output).toContain(`Open   ${demo.origin}`)
    expect(output).toContain(`${demo.origin}/inbox`)
    expect(output).toContain(`http://127.0.0.1:${demo.port + 1}`)
    expect(output).toContain(`http://127.0.0.1:${demo.port + 2}`)
    expect(output).not.toMatch(/warn|deprecat|experimental|notice/i)
  })

  test("keeps the secret and the keys when it is stopped, readable by the owner only", async () => {
    using folder = temporaryFolder()
    const files = ["secret", "tenant-keys.json"].map((name) => join(folder.path, name))
    const read = () => files.map((file) => readFileSync(file, "utf8"))
    const contents: string[][] = []

    for (const signal of ["SIGTERM", "SIGHUP"] as const) {
      const demo = await startDemo(folder.path)
      // An open connection must not delay it.
      await fetch(demo.origin)
      expect((await demo.stop(signal)).code).toBe(0)
      await expectStopped(demo)
      contents.push(read())
    }
    const [first = [], second] = contents

    expect(second).toEqual(first)
    expect(first[0]?.length).toBeGreaterThanOrEqual(32)
    for (const file of files) expect(statSync(file).mode & 0o077).toBe(0)
  })

  test.each([0, 1, 2, 3])("reports a port that is in use (--port + %i)", async (offset) => {
    using folder = temporaryFolder()
    const port = await findFreePorts()
    const other = createServer().listen(port + offset, "127.0.0.1")
    await once(other, "listening")

    const { code, output } = await runDemo("--port", String(port), "--data", folder.path).ended
    other.close()

    expect(code).toBe(1)
    expect(output.trim().split("\n")).toHaveLength(1)
    expect(output).toContain(`Port ${port + offset} is already in use`)
    expect(output).toContain("--port")
  })

  test("a second demo on the same ports fails, and the first one keeps running", async () => {
    using folder = temporaryFolder()
    const demo = await startDemo(folder.path)

    const { code, output } = await runDemo("--port", String(demo.port), "--data", folder.path).ended

    expect(code).toBe(1)
    expect(output).toContain(`Port ${demo.port} is already in use`)
    expect((await fetch(demo.origin)).status).toBe(200)
    await demo.stop()
  })

  test.each([
    [["--port", "http"], "--port must be a number"],
    [["--port", "65533"], "--port must be a number from 1 to 65532"],
    [["--prot", "3000"], "Unknown option '--prot'"],
    [["3000"], "Unexpected argument '3000'"],
  ])("explains an invalid command line: %j", (args, explanation) => {
    expect(() => readOptions(args)).toThrow(UsageError)
    expect(() => readOptions(args)).toThrow(explanation)
  })

  test("prints the usage after what is wrong", async () => {
    const { code, output } = await runDemo("--prot").ended

    expect(code).toBe(1)
    expect(output).toContain("Unknown option '--prot'")
    expect(output).toContain("Usage: npm run demo")
    expect(output).not.toContain("    at ")
  })

  test("prints the usage", async () => {
    const { code, output } = await runDemo("--help").ended

    expect(code).toBe(0)
    expect(output).toContain("--port N")
  })
})

async function expectStopped({ port }: RunningDemo): Promise<void> {
  for (const offset of [0, 1, 2, 3])
    await expect(fetch(`http://127.0.0.1:${port + offset}`)).rejects.toThrow()
}
