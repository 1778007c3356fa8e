/** Security case 136: any bytes get a response, and cause little work. */
import { expect, test, vi } from "vitest"
import {
  expectLittleWork,
  expectResponses,
  sendTo,
} from "../../../scripts/test/support/any-request.ts"
import { createApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

const { handle, failures } = createApplication({ config: createConfig() })
const send = sendTo(handle, { origin: "http://app.example" })

test("any request gets a response, and 64 KiB cause at most 50 ms of work", async () => {
  await expectResponses(send, 300)
  await expectLittleWork(send, 150)
  // Qwik's own response to a path without a page.
  expect(failures.filter(({ message }) => message !== "Resource Not Found")).toEqual([])
})
