import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { ApiContext } from '../api/api-context.ts'
import { createToolServer, type ToolServerOptions } from './tool-server.ts'

/** The headers that the protocol reads. */
const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

/** Answers a message of the protocol, of each version that the library knows. */
export async function answerMessage(
  body: unknown,
  { header, dispatch }: ApiContext,
  options: Omit<ToolServerOptions, 'dispatch'>,
): Promise<Response> {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  for (const name of protocolHeaders) {
    const value = header(name)
    if (value !== undefined) headers.set(name, value)
  }
  const request = new Request('http://localhost/mcp', { method: 'POST', headers })
  const server = createToolServer({ ...options, dispatch })
  if (await isLegacyRequest(request, body)) {
    // Without a session, because any process may receive the next message.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    return await transport.handleRequest(request, { parsedBody: body })
  }
  // Nothing changes that a client could subscribe to.
  const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 })
  return await handler.fetch(request, { parsedBody: body })
}
