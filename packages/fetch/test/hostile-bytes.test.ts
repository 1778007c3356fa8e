/** Security case 136: any bytes get a response, and cause little work. */
import { FetchAuth } from "@latchkey/fetch"
import { expect, test } from "vitest"
import {
  expectLittleWork,
  expectResponses,
  sendTo,
} from "../../../scripts/test/support/any-request.ts"
import { createConfig } from "./support/config.ts"

const auth = FetchAuth(createConfig({ trustHost: true }))
/** A page that reads the session. An `AuthError`, such as that of a request whose headers name no host, is a response. */
const send = sendTo(
  auth.wrap(async (request) => Response.json(await auth.for(request).getSession())),
)

test("any request gets a response, and 64 KiB cause at most 50 ms of work", async () => {
  await expectResponses(send, 300)
  await expectLittleWork(send, 150)
  expect.hasAssertions()
})
