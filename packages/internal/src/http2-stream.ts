import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2'

/** Returns the stream of a request or a response of `node:http2`; undefined for HTTP/1. */
export const getHttp2Stream = (
  message: IncomingMessage | ServerResponse | Http2ServerRequest | Http2ServerResponse,
): ServerHttp2Stream | undefined => ('stream' in message ? message.stream : undefined)
