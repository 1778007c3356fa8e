/** Sets a cookie of the application on every response, including those of the library. */
import { createMiddleware } from "@solidjs/start/middleware"

export default createMiddleware({
  onRequest: [(event) => event.response.headers.append("set-cookie", "foreign=kept; Path=/")],
})
