import { createAsyncApiDocument } from './asyncapi.ts'
import { documentFile, type DocumentFile } from './file.ts'
import { serverDocument, type ServerDocumentOptions } from './openapi.ts'
import { redocFiles } from './redoc.ts'
import { swaggerUiFiles } from './swagger-ui.ts'

/**
 * Creates the OpenAPI document, the pages that show it, and the AsyncAPI document.
 *
 * @throws TypeError when the routes cannot be documented
 */
export function createFiles(options: ServerDocumentOptions): readonly DocumentFile[] {
  const json = 'application/json; charset=utf-8'
  return [
    documentFile('/openapi.json', json, JSON.stringify(serverDocument(options))),
    documentFile('/asyncapi.json', json, JSON.stringify(createAsyncApiDocument(options.providers))),
    ...swaggerUiFiles(),
    ...redocFiles(),
  ]
}
