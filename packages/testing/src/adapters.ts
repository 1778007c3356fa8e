export type {
  ConformanceCase,
  ConformanceContext,
  Fixtures,
  Interruption,
  LimitedTextField,
  Row,
  RowReader,
} from "./conformance/context.ts"
export {
  createInterruptibleConnection,
  type InterruptibleConnection,
} from "./conformance/interruptible-connection.ts"
export type { ConformanceOptions } from "./conformance/suite.ts"
export { adapterCases, testAdapterConformance } from "./conformance/suite.ts"
