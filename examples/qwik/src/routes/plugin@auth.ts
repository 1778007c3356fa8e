// Runs before everything else, whether or not there is a page: the library's own routes are none.
export { onRequest } from "../auth.ts"
