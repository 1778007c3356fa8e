/** Whether a value is a `Date`, also one of another realm, as drivers may return. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]"
}
