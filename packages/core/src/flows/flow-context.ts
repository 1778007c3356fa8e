import type { CoreServices } from "../config/core-services.ts"
import type { ActionRequest } from "../http/action-request.ts"

/** A request, and the services with which a flow handles it. */
export interface FlowContext extends CoreServices {
  readonly request: ActionRequest
}
