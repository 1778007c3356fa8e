/** The same process without a library. */
import { runSubject } from "../subject.ts"

await runSubject({
  importLibrary: async () => undefined,
  createHandler: async () => async () => new Response("null"),
})
