import { type DocumentFile } from './file.ts';
/**
 * Creates the page `/docs` of Swagger UI with its assets.
 *
 * @see https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/
 */
export declare function swaggerUiFiles(): readonly DocumentFile[];
