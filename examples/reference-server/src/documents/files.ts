import { createAsyncApiDocument } from '@sallyport/webhooks/documents'
import { version } from '../version.ts'
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
  const license = { name: 'MIT', url: 'https://opensource.org/license/mit' }
  const info = { title: 'Sallyport events', version, license }
  const json = 'application/json; charset=utf-8'
  return [
    documentFile('/openapi.json', json, JSON.stringify(serverDocument(options))),
    documentFile('/asyncapi.json', json, JSON.stringify(createAsyncApiDocument(options.providers, info))),
    ...swaggerUiFiles(),
    ...redocFiles(),
  ]
}
