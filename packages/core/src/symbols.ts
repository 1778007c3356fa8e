/**
 * Options that are symbols, so that no request, JSON file or typo can set them. Those of a provider are the same in every
 * copy of the library. Those that switch off a protection work only with the copy that they come from.
 */

/**
 * Key of a provider's options: a function with the signature of `fetch` that makes the requests to the
 * provider's endpoints, for a proxy, logging or a test. The function can read everything that is sent: codes, tokens
 * and the client secret.
 */
export const customFetch: unique symbol = Symbol.for("latchkey.customFetch")

/**
 * Key of a provider's options: if true, `http:` endpoints are accepted for hosts other than loopback addresses. Codes,
 * tokens and the client secret are then sent unencrypted.
 */
export const allowInsecureRequests: unique symbol = Symbol.for("latchkey.allowInsecureRequests")

/**
 * Value of `raw` in the configuration, for authors of framework packages: `Auth` resolves to a `RawResponse` instead of
 * a `Response`, and rejects with each `AuthError`.
 */
export const raw: unique symbol = Symbol("latchkey.raw")

/**
 * Value of `skipCSRFCheck` in the configuration, for authors of framework packages whose framework already
 * refuses cross-site requests. If it does not, any website can sign users in and out.
 */
export const skipCSRFCheck: unique symbol = Symbol("latchkey.skipCSRFCheck")
