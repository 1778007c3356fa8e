/** The errors whose message is a sentence of the library, composed of details. It quotes values from outside. */
export const composedErrors: WeakSet<object> = new WeakSet()
