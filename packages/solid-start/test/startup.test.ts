/** A server in production that could sign nobody in ends when it starts; handlers only log why. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { describe, expect, test } from "vitest"
import { secret } from "./support/config.ts"

const provider = `{ id: "idp", type: "oauth", name: "IdP", clientId: "a", clientSecret: "b", authorization: "https://idp.example/a", token: "https://idp.example/t", userinfo: "https://idp.example/u", profile: () => ({ id: "1" }) }`
const complete = { AUTH_SECRET: secret, AUTH_URL: "https://app.example", NODE_ENV: "production" }

/** Runs a module that passes a configuration to a function, and prints when it has gone on. */
async function run(call: string, providers: string, env: Record<string, string>) {
  const script = `
    import { checkConfigAtStartup, ReactiveAuth } from "@latchkey/solid-start"
    ${call}({ providers: [${providers}] })
    setTimeout(() => console.log("running"), 50)`
  const args = ["--conditions=@latchkey/source", "--input-type=module", "--eval", script]
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [out, err] = [text(child.stdout), text(child.stderr)]
  const [code] = await once(child, "close")
  return { code, out: await out, err: await err }
}

describe("without what production needs", () => {
  test.each([
    ["a secret", provider, { AUTH_SECRET: "" }, /MissingSecret/],
    ["a URL", provider, { AUTH_URL: "" }, /UntrustedHost/],
    ["a provider", "", {}, /InvalidOption.*a provider that can be used/],
  ])("such as %s, the check ends the process with one line", async (_, providers, env, line) => {
    const ended = await run("checkConfigAtStartup", providers, { ...complete, ...env })
    expect(ended.err).toMatch(line)
    expect(ended.err.trim().split("\n")).toHaveLength(1)
    expect(ended).toMatchObject({ code: 1, out: "" })
    const { err, ...logged } = await run("ReactiveAuth", providers, { ...complete, ...env })
    expect(err).toBe(ended.err)
    expect(logged).toEqual({ code: 0, out: "running\n" })
  })

  test("a complete configuration goes on, and an incomplete one in development", async () => {
    const running = { code: 0, out: "running\n", err: "" }
    expect(await run("checkConfigAtStartup", provider, complete)).toEqual(running)
    const development = { NODE_ENV: "development" }
    expect(await run("checkConfigAtStartup", "", development)).toEqual(running)
  })
})
