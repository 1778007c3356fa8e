// Plugins run before all routes, and also for URLs without a page, such as those of the library.
export { onRequest } from "../auth.ts"
