/** Runs the behaviours of every framework in Bun or Deno, on its own server, and prints the results as JSON. */
import process from "node:process"
import type { FetchHandler } from "@latchkey/testing"
import { testBehaviours } from "../../../../packages/fetch/test/support/behaviours.ts"
import { createWrappedApplication } from "../../../../packages/fetch/test/support/wrapped-application.ts"
import { runTests } from "./collector.ts"

interface ServerOptions {
  readonly port: 0
  readonly hostname: string
}

declare const Bun:
  | {
      serve(options: ServerOptions & { readonly fetch: FetchHandler }): { readonly url: URL }
    }
  | undefined
declare const Deno: {
  serve(
    options: ServerOptions & { readonly onListen: () => void },
    fetch: FetchHandler,
  ): { readonly addr: { readonly port: number } }
}

/** Starts a server on a free port, and returns its URL. */
async function serve(fetch: FetchHandler): Promise<string> {
  const options = { port: 0, hostname: "127.0.0.1" } as const
  if (typeof Bun !== "undefined") return Bun.serve({ ...options, fetch }).url.origin
  const { addr } = Deno.serve({ ...options, onListen() {} }, fetch)
  return `http://127.0.0.1:${addr.port}`
}

testBehaviours("a runtime", (auth) => serve(createWrappedApplication(auth)), {
  losesErrors: true,
})
console.log(JSON.stringify(await runTests()))
process.exit()
