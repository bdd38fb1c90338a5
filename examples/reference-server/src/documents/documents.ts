import { createRouter, negotiateErrorResponse, requireAcceptsJson, type AnyRoute } from '@sallyport/rest'
import { isSallyportError } from '@sallyport/errors'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { send } from '../http/response.ts'
import { noteRoute } from '../telemetry/requests.ts'
import { documentFile, type DocumentFile } from './file.ts'
import { serverDocument, type ServerDocumentOptions } from './openapi.ts'
import { redocFiles } from './redoc.ts'
import { swaggerUiFiles } from './swagger-ui.ts'

export interface DocumentsOptions extends ServerDocumentOptions {
  /** Applies a rate limit to a request for a document; rejects over the limit. @default no limit */
  readonly limit?: (request: Request, response: Response) => Promise<void>
}

/**
 * Creates the middleware for `/api` with the OpenAPI document at `/openapi.json` and the pages `/docs` and `/redoc`. The files
 * are created once. Other paths go to the next handler.
 *
 * @throws TypeError when the routes cannot be documented
 */
export function createDocuments({ limit, ...options }: DocumentsOptions): RequestHandler {
  const json = JSON.stringify(serverDocument(options))
  const files = [
    { ...documentFile('/openapi.json', 'application/json; charset=utf-8', json), json: true },
    ...swaggerUiFiles(),
    ...redocFiles(),
  ]
  const router = createRouter(files.map((file, index) => ({ route: routeTo(file, index), file })))

  async function answer(request: Request, response: Response, next: NextFunction): Promise<void> {
    const [path = ''] = request.url.split('?', 1)
    let match
    try {
      match = router.match(request.method, path)
    } catch (refusal) {
      if (isSallyportError(refusal) && refusal.code === 'NOT_FOUND') {
        next()
        return
      }
      await limit?.(request, response)
      throw refusal
    }
    await limit?.(request, response)
    if (match.kind === 'options') {
      response.status(204).set('Allow', match.allow).end()
      return
    }
    const { file } = match.binding
    noteRoute(response, request.baseUrl + file.path)
    if (file.json === true) requireAcceptsJson(request.headers.accept)
    send(request, response, file.response)
  }

  return (request, response, next) => {
    answer(request, response, next).catch((error: unknown) => {
      const { status, headers, body } = negotiateErrorResponse(error, { accept: request.headers.accept })
      response
        .status(status)
        .set({ 'Cache-Control': 'no-store', ...headers })
        .end(JSON.stringify(body))
    })
  }
}

function routeTo({ path }: DocumentFile, index: number): AnyRoute {
  const responses = { 200: { description: 'The file' } }
  return { method: 'GET', path, operationId: `file${index}`, summary: path, access: 'public', responses }
}
