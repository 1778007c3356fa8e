/** A cookie of the application's own on every answer, those of the library included. */
import { createMiddleware } from "@solidjs/start/middleware"

export default createMiddleware({
  onRequest: [(event) => event.response.headers.append("set-cookie", "foreign=kept; Path=/")],
})
