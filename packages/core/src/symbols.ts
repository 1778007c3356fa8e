/** Switches that cannot come out of a request, a JSON file or a typo. */

/**
 * Key of a provider's options: a function with the signature of `fetch` that makes the requests to the
 * provider's endpoints, for a proxy, logging or a test. It carries codes, tokens and the client secret:
 * whoever writes it can read them all.
 */
export const customFetch: unique symbol = Symbol("latchkey.customFetch")

/**
 * Key of a provider's options: set to true, plain `http:` endpoints are accepted beyond the loopback
 * addresses. Codes, tokens and the client secret then cross the network in the clear.
 */
export const allowInsecureRequests: unique symbol = Symbol("latchkey.allowInsecureRequests")

/**
 * Value of `raw` in the configuration, for authors of framework packages: `Auth` resolves to the answer
 * before it becomes a `Response`, and an `AuthError` is thrown to the caller.
 */
export const raw: unique symbol = Symbol("latchkey.raw")

/**
 * Value of `skipCSRFCheck` in the configuration, for authors of framework packages whose framework already
 * refuses forged requests. Without that, anybody's page can sign people in and out.
 */
export const skipCSRFCheck: unique symbol = Symbol("latchkey.skipCSRFCheck")
