/** Security case 136: any bytes get a response, and cause little work. */
import { InvalidRequest } from "@latchkey/core/errors"
import { CompiledAuth } from "@latchkey/sveltekit"
import { expect, test, vi } from "vitest"
import {
  expectLittleWork,
  expectResponses,
  sendTo,
} from "../../../scripts/test/support/any-request.ts"
import { createApplication, type Route } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

const auth = CompiledAuth(createConfig())
/** A page. The library tells it that nothing names the host of a request. */
const readSession: Route = ({ locals }) =>
  locals.auth().catch((error: unknown) => {
    if (!(error instanceof InvalidRequest)) throw error
  })
const send = sendTo(createApplication(auth, { "/": readSession }), { prefix: "/base" })

test("any request gets a response, and 64 KiB cause at most 50 ms of work", async () => {
  await expectResponses(send, 300)
  await expectLittleWork(send, 150)
  expect.hasAssertions()
})
