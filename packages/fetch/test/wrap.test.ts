/** `wrap`, as Bun, Deno and Cloudflare Workers use it. */
import { testBehaviours } from "./support/behaviours.ts"
import { serve } from "./support/serve.ts"
import { createWrappedApplication } from "./support/wrapped-application.ts"

testBehaviours("a server of Node.js", (auth) => serve(createWrappedApplication(auth)), {
  losesErrors: true,
})
