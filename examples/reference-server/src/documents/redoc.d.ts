import { type DocumentFile } from './file.ts';
/**
 * Creates the page `/redoc` of Redoc with its bundle.
 *
 * @see https://redocly.com/docs/redoc/v2.x/config
 */
export declare function redocFiles(): readonly DocumentFile[];
