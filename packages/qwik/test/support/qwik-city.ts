/**
 * Replaces the module of Qwik City whose router Node.js cannot load. Contains the markers by which its request
 * handler recognises loaders and actions.
 */
interface Validator {
  validate(event: unknown, data: unknown): unknown
}

type HandlerFunction = (...parameters: never[]) => unknown

let count = 0

function createMarkedFunction(
  brand: string,
  body: HandlerFunction,
  validators: readonly Validator[],
) {
  const call = (_self: unknown, ...parameters: never[]) => body(...parameters)
  const fields = {
    __brand: brand,
    __id: `${brand}_${++count}`,
    __qrl: { call, getSymbol: () => brand },
    __validators: validators,
  }
  return Object.assign(() => undefined, fields)
}

export const routeLoader$ = (body: HandlerFunction) =>
  createMarkedFunction("server_loader", body, [])

export const globalAction$ = (body: HandlerFunction, ...validators: Validator[]) =>
  createMarkedFunction("server_action", body, validators)

export const validator$ = (validate: Validator["validate"]): Validator => ({ validate })
