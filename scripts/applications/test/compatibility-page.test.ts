import { resolve } from "node:path"
import { expect, test } from "vitest"
import { pagePath, renderCompatibilityPage } from "../compatibility-page.ts"

test("the compatibility page lists what is tested", async () => {
  await expect(renderCompatibilityPage()).toMatchFileSnapshot(resolve(pagePath))
})
