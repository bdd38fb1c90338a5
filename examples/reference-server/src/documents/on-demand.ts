import type { RequestHandler } from 'express'
import { sendError } from '../http/response.ts'
import type { DocumentsOptions } from './documents.ts'

export interface DocumentsOnDemandOptions extends DocumentsOptions {
  /** Called when the documents cannot be created. */
  readonly onError: (error: unknown, requestId: string) => void
}

/**
 * Creates the documents with the first request under `/api`, because their libraries and assets would slow down every start.
 */
export function documentsOnDemand({ onError, ...options }: DocumentsOnDemandOptions): RequestHandler {
  let made: Promise<RequestHandler> | undefined
  return (request, response, next) => {
    made ??= import('./documents.ts').then(({ createDocuments }) => createDocuments(options))
    made.then(
      (documents) => {
        documents(request, response, next)
      },
      (error: unknown) => {
        // The next request retries: the error may be temporary, such as a lack of file descriptors.
        made = undefined
        onError(error, String(response.getHeader('X-Request-Id')))
        sendError(request, response, error)
      },
    )
  }
}
