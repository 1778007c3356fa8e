/** Security case 136: any bytes get a response, and cause little work. */
import { expect, test } from "vitest"
import {
  expectLittleWork,
  expectResponses,
  sendTo,
} from "../../../scripts/test/support/any-request.ts"
import { createApplication, toNextRequest } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

const { app, auth } = createApplication(createConfig({ trustHost: true }))
const proxy = auth.auth as unknown as (request: Request) => Promise<Response>

test.each([
  ["the routes", sendTo(app, { prefix: "/api" })],
  ["the proxy", sendTo((request) => proxy(toNextRequest(request)))],
])("%s: any request gets a response, and 64 KiB cause at most 50 ms of work", async (_, send) => {
  await expectResponses(send, 300)
  await expectLittleWork(send, 150)
  expect.hasAssertions()
})
