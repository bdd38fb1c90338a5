/**
 * APIs as middleware of Express.
 *
 * @module
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Api } from '../api/api-options.ts'
import { createNodeListener } from '../node/node-listener.ts'

interface ExpressHandlerOptions {
  /** Returns the address of the client. @default `request.ip`, which follows the setting `trust proxy` */
  readonly clientAddress?: (request: ExpressRequest) => string | undefined
  /** Returns the id of a request. @default `X-Request-Id` if it has 1 to 64 safe characters, otherwise a new UUID */
  readonly requestId?: (request: ExpressRequest, response: ServerResponse) => string
}

/** The part of an Express request that the middleware reads. */
export type ExpressRequest = IncomingMessage & { readonly ip?: string | undefined }

/**
 * Creates middleware that answers every request below the path of `app.use`.
 *
 * Mount the middleware before `express.json()` and other body parsers: after them, requests with a body are answered 500,
 * and `onError` of the API receives the cause.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import type { Api } from '@sallyport/rest'
 * import { createExpressHandler } from '@sallyport/rest/express'
 *
 * declare const api: Api
 * express().use('/api/v1', createExpressHandler(api)).listen(3000)
 * ```
 */
export function createExpressHandler(
  api: Api,
  { clientAddress = ({ ip }) => ip, ...options }: ExpressHandlerOptions = {},
): RequestListener {
  return createNodeListener(api, { ...options, clientAddress })
}
