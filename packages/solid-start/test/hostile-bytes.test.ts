/** Security case 136: any bytes get a response, and cause little work. */
import { InvalidRequest } from "@latchkey/core/errors"
import { getSession } from "@latchkey/solid-start"
import { expect, test } from "vitest"
import {
  expectLittleWork,
  expectResponses,
  sendTo,
} from "../../../scripts/test/support/any-request.ts"
import { createApplication, type Handler } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

const config = createConfig()
/** A page. The library tells it that nothing names the host of a request. */
const readSession: Handler = ({ request }) =>
  getSession(request, config).catch((error: unknown) => {
    if (!(error instanceof InvalidRequest)) throw error
  })
const send = sendTo(createApplication(config, { "/": readSession }), { prefix: "/api" })

test("any request gets a response, and 64 KiB cause at most 50 ms of work", async () => {
  await expectResponses(send, 300)
  await expectLittleWork(send, 150)
  expect.hasAssertions()
})
