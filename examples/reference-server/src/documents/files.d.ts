import { type DocumentFile } from './file.ts';
import { type ServerDocumentOptions } from './openapi.ts';
/**
 * Creates the OpenAPI document, the pages that show it, and the AsyncAPI document.
 *
 * @throws TypeError when the routes cannot be documented
 */
export declare function createFiles(options: ServerDocumentOptions): readonly DocumentFile[];
