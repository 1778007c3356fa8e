/** The types of accounts and token sets. Compiled with the tests, never run. */
import type { Account, JsonValue, TokenSet } from "@latchkey/core/types"
import { expectTypeOf } from "vitest"

const account: Account = { provider: "idp", providerAccountId: "1", type: "oidc" }

expectTypeOf(account["session_state"]).toEqualTypeOf<JsonValue | undefined>()
expectTypeOf<TokenSet[string]>().toEqualTypeOf<JsonValue | undefined>()

account["nested"] = { list: [1, "two", null], missing: undefined }
account.authorization_details = [{ type: "payment", amount: { value: 1 } }]
// @ts-expect-error a function is not a JSON value
account["callback"] = () => {}
// @ts-expect-error a Date is not a JSON value
account["issued"] = new Date()
