import type { RequestHandler } from 'express'
import { sendError } from '../http/response.ts'
import type { DocumentsOptions } from './documents.ts'

export interface DocumentsOnDemandOptions extends DocumentsOptions {
  /** Told of documents that cannot be made. */
  readonly onError: (error: unknown, requestId: string) => void
}

/**
 * The documents, made with the first request that may be for one of them: most processes are never asked, and their
 * libraries and assets would take up a good part of every start.
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
        // What was missing for a moment, such as a free file descriptor, is not missed until a restart.
        made = undefined
        onError(error, String(response.getHeader('X-Request-Id')))
        sendError(request, response, error)
      },
    )
  }
}
