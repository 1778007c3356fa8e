/**
 * Checks of values, and copies of plain objects. No check depends on the realm, unlike `instanceof` of a built-in class:
 * test runners, worker pools, replaced clocks and database drivers pass values of another one.
 */

/** Whether a value is an object other than an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Whether a value is an object that consists of its keys, as opposed to a class instance such as a key or URL. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether a value is a `Date`. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]"
}

/** Whether a value is an error. The tag does not say so: classes of errors set their own. */
export function isError(value: unknown): value is Error {
  if (!isObject(value) || isPlainObject(value)) return false
  return typeof value["name"] === "string" && typeof value["message"] === "string"
}

/** Returns a value that all copies of the library in a process share. */
export function shareWithCopies<T>(name: string, create: () => T): T {
  const shared = globalThis as { [name: symbol]: unknown }
  const key = Symbol.for(`latchkey.${name}`)
  shared[key] ??= create()
  return shared[key] as T
}

/** Parses a JSON object. Returns undefined for any other text. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined // not JSON
  }
}

/** `T` without undefined values: a property that may be undefined becomes optional. */
type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
} & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** Copies an object without the properties that are undefined, and without `__proto__`, which would change the copy's prototype. */
export function omitUndefined<T extends object>(object: T): Defined<T> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(object)) {
    const value: unknown = object[name as keyof T]
    if (value !== undefined && name !== "__proto__") copy[name] = value
  }
  return copy as Defined<T>
}
