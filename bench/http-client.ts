/** Sends requests over HTTP to a subject. */
import { type Agent, globalAgent, request } from "node:http"
import {
  createHeaders,
  encodeBody,
  type HttpRequest,
  type HttpResponse,
  type SendRequest,
} from "./http.ts"

/** Wraps a server on this machine. */
export function createHttpSender(port: number, agent: Agent = globalAgent): SendRequest {
  const origin = `http://localhost:${port}`
  return (httpRequest) => sendRequest(httpRequest, port, origin, agent)
}

function sendRequest(
  httpRequest: HttpRequest,
  port: number,
  origin: string,
  agent: Agent,
): Promise<HttpResponse> {
  const body = encodeBody(httpRequest)
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
  const headers = { ...createHeaders(httpRequest, origin), ...length }
  return new Promise((resolve, reject) => {
    const { method, path } = httpRequest
    const options = { agent, host: "localhost", port, method, path, headers }
    const clientRequest = request(options, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.once("error", reject).once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text,
          location: response.headers.location,
          setCookies: response.headers["set-cookie"] ?? [],
        }),
      )
    })
    clientRequest.once("error", reject).end(body)
  })
}
