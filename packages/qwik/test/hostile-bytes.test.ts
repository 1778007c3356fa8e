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

test.each(["f", "options.f"])(
  "a form with 20,000 fields causes little work: %s",
  async (prefix) => {
    const { handle, signInId } = createApplication({ config: createConfig() })
    const names = Array.from({ length: 20_000 }, (_, index) => [prefix + index, ""])
    const body = new URLSearchParams(names)
    const headers = { origin: "http://app.example" }
    const request = new Request(`http://app.example/?qaction=${signInId}`, {
      method: "POST",
      headers,
      body,
    })
    const before = performance.now()
    expect((await handle(request)).status).toBe(303)
    expect(performance.now() - before).toBeLessThan(1500)
  },
)
