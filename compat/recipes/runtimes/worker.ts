/** The application in a worker of Cloudflare, with D1 and the adapter that Auth.js has for it. */
import { D1Adapter } from "@auth/d1-adapter"
import { createFetch } from "./create-fetch.ts"

interface Env {
  readonly DB?: Parameters<typeof D1Adapter>[0]
}

export default {
  fetch: createFetch(({ DB }: Env) => (DB ? { adapter: D1Adapter(DB) } : {})),
}
