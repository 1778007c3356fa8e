import { expect, test } from "vitest"
import { describeTokenResponse } from "../src/doctor/token-response.ts"

test.each([
  ["accepted", 400, '{"error":"invalid_grant"}', "400 invalid_grant"],
  ["accepted", 200, '{"error":"bad_verification_code"}', "200 bad_verification_code"],
  ["client-refused", 401, '{"error":"invalid_client"}', "401 invalid_client"],
  [
    "client-refused",
    200,
    "error=incorrect_client_credentials&error_uri=x",
    "200 incorrect_client_credentials",
  ],
  ["client-refused", 401, "<h1>Unauthorized</h1>", "401"],
  ["redirect-uri-refused", 400, '{"error":"redirect_uri_mismatch"}', "400 redirect_uri_mismatch"],
  ["unknown", 400, '{"error":"invalid_request"}', "400 invalid_request"],
  ["unknown", 400, '{"error":{"code":1}}', "400"],
  ["unknown", 400, '{"error":"line\\nbreak \\u001b[2J"}', "400"],
  ["unknown", 502, "", "502"],
  ["unknown", 200, "null", "200"],
])("a token response means that the client is %s: %i %s", (verdict, status, text, description) => {
  expect(describeTokenResponse({ status, text })).toEqual({ verdict, text: description })
})
