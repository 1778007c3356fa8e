/** Values of another realm: those that Jest, worker pools, database drivers and replaced clocks pass to the library. */
import { createContext, runInContext } from "node:vm"

const realm = createContext({})

/** Evaluates an expression in another realm. */
export function evaluateForeign<Value>(expression: string): Value {
  return runInContext(`(${expression})`, realm)
}

/** A date of another realm. */
export function toForeignDate(date: Date): Date {
  return evaluateForeign(`new Date(${date.getTime()})`)
}

/** Copies JSON data into another realm. */
export function toForeignData<Value>(value: Value): Value {
  return evaluateForeign(JSON.stringify(value))
}
