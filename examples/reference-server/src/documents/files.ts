import { documentFile, type DocumentFile } from './file.ts'
import { serverDocument, type ServerDocumentOptions } from './openapi.ts'
import { redocFiles } from './redoc.ts'
import { swaggerUiFiles } from './swagger-ui.ts'

/**
 * Creates the OpenAPI document and the pages that show it.
 *
 * @throws TypeError when the routes cannot be documented
 */
export function createFiles(options: ServerDocumentOptions): readonly DocumentFile[] {
  const json = JSON.stringify(serverDocument(options))
  return [
    documentFile('/openapi.json', 'application/json; charset=utf-8', json),
    ...swaggerUiFiles(),
    ...redocFiles(),
  ]
}
