import { InvalidEndpoints } from "../../errors.ts"

export function createEndpointError(
  provider: string,
  name: string,
  cause?: unknown,
): InvalidEndpoints {
  const expected = `\`${name}\` in the metadata of provider ${provider} to be a public https URL`
  return new InvalidEndpoints({ provider, expected, cause })
}
