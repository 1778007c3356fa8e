import type { AdapterStore } from "../config/adapter-store.ts"
import type { CoreServices } from "../config/core-services.ts"
import { MissingAdapter } from "../errors.ts"
import type { ActionRequest } from "../http/action-request.ts"
import type { SelectLanguage } from "../pages/render-page.ts"

/** A request, and the services with which a flow handles it. */
export interface FlowContext extends CoreServices {
  readonly request: ActionRequest
  readonly selectLanguage: SelectLanguage
}

/** Returns the database, without which configurations with e-mail links or passkeys have a problem. */
export function requireStore({ store }: FlowContext): AdapterStore {
  if (store) return store
  throw new MissingAdapter({ hint: "E-mail links and passkeys are kept in a database." })
}
