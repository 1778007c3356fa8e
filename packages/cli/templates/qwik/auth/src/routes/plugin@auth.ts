// Plugins run before all routes, and also for URLs without a page, such as those under /auth.
export { onRequest } from "../auth"
