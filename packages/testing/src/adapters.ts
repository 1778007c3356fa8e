export type {
  ConformanceCase,
  ConformanceContext,
  Fixtures,
  Interruption,
  LimitedText,
  Row,
  RowReader,
} from "./conformance/context.ts"
export {
  type InterruptibleConnection,
  interruptibleConnection,
} from "./conformance/interruptible-connection.ts"
export type { ConformanceOptions } from "./conformance/suite.ts"
export { adapterCases, adapterConformance } from "./conformance/suite.ts"
